import type { ObjectShape, Shape } from "./contract.ts";

/** The members of a shape; itself, where it is no union. */
export const membersOf = (shape: Shape): readonly Shape[] =>
  shape.kind === "union" ? shape.members : [shape];

/** The objects among the members of a shape. */
export const objectsOf = (shape: Shape): readonly ObjectShape[] =>
  membersOf(shape).filter((member) => member.kind === "object");

/** Whether null is one of the values. */
export const isNullable = (shape: Shape): boolean => membersOf(shape).some(({ kind }) => kind === "null");

/** What a shape is made of, each with the step to it: `.` and a field's name, `[]`, `{}`, or nothing for a member of a union. */
export function innerOf(shape: Shape): readonly (readonly [inner: Shape, step: string])[] {
  if (shape.kind === "list") return [[shape.item, "[]"]];
  if (shape.kind === "record") return [[shape.value, "{}"]];
  if (shape.kind === "union") return shape.members.map((member) => [member, ""]);
  return shape.kind === "object" ? [...shape.fields].map(([name, field]) => [field.shape, `.${name}`]) : [];
}

/** These shapes and all they are made of, each once: what is met first stands first. */
export function reachableFrom(roots: readonly Shape[]): Shape[] {
  const found = new Set(roots);
  // A set goes on with what is added to it on the way.
  for (const shape of found) for (const [inner] of innerOf(shape)) found.add(inner);
  return [...found];
}
