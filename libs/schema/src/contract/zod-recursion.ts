import type { z } from "zod";

/** Any schema, as one finds it inside another. */
export type ZodSchema = z.core.$ZodType;

/** The objects and lists that hold themselves: they need a name. */
export function isRecursive(root: ZodSchema): ReadonlySet<ZodSchema> {
  const recursive = new Set<ZodSchema>();
  const done = new Set<ZodSchema>();
  const path: ZodSchema[] = [];
  const walk = (schema: ZodSchema): void => {
    if (path.includes(schema)) {
      // The nearest object on the way: it is met by way of what wraps it, too.
      const circle = path.slice(path.indexOf(schema));
      const named = circle.find((one) => one._zod.def.type === "object") ?? schema;
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
  const { def } = schema._zod;
  switch (def.type) {
    case "object":
      return Object.values((def as z.core.$ZodObjectDef).shape);
    case "array":
      return [(def as z.core.$ZodArrayDef).element];
    case "record":
      return [(def as z.core.$ZodRecordDef).valueType];
    case "union":
      return (def as z.core.$ZodUnionDef).options;
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
      return [(def as z.core.$ZodOptionalDef).innerType];
    case "lazy":
      return [(def as z.core.$ZodLazyDef).getter()];
    default:
      return [];
  }
}
