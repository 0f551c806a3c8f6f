import type { ObjectShape, Shape } from "./contract.ts";

/** The constants that a shape is one of; null where it may be anything else. */
export function constantsOf(shape: Shape): ReadonlySet<unknown> | null {
  if (shape.kind === "literal") return new Set([shape.value]);
  if (shape.kind !== "union") return null;
  const values = shape.members.flatMap((member) => (member.kind === "literal" ? [member.value] : []));
  return values.length === shape.members.length ? new Set(values) : null;
}

/** Whether a constant that both must have tells two objects apart, whatever else is in them. */
export function areToldApart(one: Shape, other: Shape): boolean {
  return one.kind === "object" && other.kind === "object" && haveTag(one, other);
}

function haveTag(one: ObjectShape, other: ObjectShape): boolean {
  for (const { name, required, shape } of one.fields.values()) {
    const field = other.fields.get(name);
    if (!required || field?.required !== true) continue;
    const [mine, theirs] = [constantsOf(shape), constantsOf(field.shape)];
    if (mine !== null && theirs !== null && [...mine].every((value) => !theirs.has(value))) return true;
  }
  return false;
}
