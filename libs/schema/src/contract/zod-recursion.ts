import { definitionOf, type ZodSchema } from "./zod-definition.ts";

/** The objects and lists that hold themselves: they need a name. */
export function findRecursive(root: ZodSchema): ReadonlySet<ZodSchema> {
  const recursive = new Set<ZodSchema>();
  const done = new Set<ZodSchema>();
  const path: ZodSchema[] = [];
  const walk = (schema: ZodSchema): void => {
    if (path.includes(schema)) {
      // The nearest object on the way: it is met by way of what wraps it, too.
      const circle = path.slice(path.indexOf(schema));
      const named = circle.find((one) => definitionOf(one).type === "object") ?? schema;
      recursive.add(named);
      return;
    }
    if (done.has(schema)) return;
    path.push(schema);
    for (const inner of innerOf(schema)) walk(inner);
    path.pop();
    done.add(schema);
  };
  walk(root);
  return recursive;
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
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
      return [def.innerType];
    case "lazy":
      return [def.getter()];
    default:
      return [];
  }
}
