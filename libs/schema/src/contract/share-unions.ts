import type { Field, ListShape, Shape } from "./contract.ts";
import { reachableFrom } from "./shapes.ts";

/**
 * Makes one shape of all unions that have the same members, in the same order: where hundreds of fields may hold one of
 * hundreds of objects, everything that looks at a union then does so once. `root` is not shared with anybody yet.
 */
export function shareUnions(root: Shape): Shape {
  const numbers = new Map<Shape, number>();
  const unions = new Map<string, Shape>();
  const keyOf = (shape: Shape): string => {
    if (shape.kind === "string") return `string ${shape.minLength}`;
    if (shape.kind === "number") return `number ${shape.integer}`;
    if (shape.kind === "literal") return `literal ${JSON.stringify(shape.value)}`;
    if (shape.kind === "boolean" || shape.kind === "null") return shape.kind;
    const number = numbers.get(shape) ?? numbers.size;
    numbers.set(shape, number);
    return `${number}`;
  };
  const one = (shape: Shape): Shape => {
    if (shape.kind !== "union") return shape;
    const key = shape.members.map(keyOf).join("\n");
    const shared = unions.get(key) ?? shape;
    unions.set(key, shared);
    return shared;
  };
  for (const shape of reachableFrom([root])) {
    // Readonly to all who read them, and still in the making here.
    if (shape.kind === "list")
      (shape as { -readonly [K in keyof ListShape]: ListShape[K] }).item = one(shape.item);
    else if (shape.kind === "record") (shape as { value: Shape }).value = one(shape.value);
    else if (shape.kind === "object") {
      const fields = shape.fields as Map<string, Field>;
      for (const [name, field] of fields) fields.set(name, { ...field, shape: one(field.shape) });
    }
  }
  return one(root);
}
