import { LIMITS } from "../limits.ts";
import { definitionOf, wrappedBy, type ZodSchema } from "./zod-definition.ts";

/** Levels of schemas, wrappers counted: four to each level of a contract. Deeper ones are refused, and not looked at. */
export const SCHEMA_LEVELS = LIMITS.contractDepth * 4;
/** Schemas, wrappers counted: four to each node of a contract. */
export const SCHEMA_COUNT = LIMITS.contractNodes * 4;

/**
 * The schemas that hold themselves: they need a name. Each circle has one of them, and none is a wrapper. Looks no
 * further than the limits: a getter can make new schemas without end.
 */
export function findRecursive(root: ZodSchema): ReadonlySet<ZodSchema> {
  const recursive = new Set<ZodSchema>();
  const done = new Set<ZodSchema>();
  const path = new Set<ZodSchema>();
  const walk = (schema: ZodSchema): void => {
    if (path.has(schema)) {
      recursive.add(unwrap(schema));
      return;
    }
    if (done.has(schema) || path.size > SCHEMA_LEVELS || done.size > SCHEMA_COUNT) return;
    path.add(schema);
    for (const inner of innerOf(schema)) walk(inner);
    path.delete(schema);
    done.add(schema);
  };
  walk(root);
  return recursive;
}

/** What is inside of all wrappers; one of them, where they only wrap each other. */
function unwrap(schema: ZodSchema): ZodSchema {
  const seen = new Set<ZodSchema>();
  let inner = schema;
  for (let next = wrappedBy(inner); next !== null && !seen.has(next); next = wrappedBy(inner)) {
    seen.add(next);
    inner = next;
  }
  return inner;
}

function innerOf(schema: ZodSchema): readonly ZodSchema[] {
  const def = definitionOf(schema);
  switch (def.type) {
    case "object":
      return Object.values(def.shape);
    case "array":
      return [def.element];
    case "record":
      return [def.valueType];
    case "union":
      return def.options;
    default: {
      const inner = wrappedBy(schema);
      return inner === null ? [] : [inner];
    }
  }
}
