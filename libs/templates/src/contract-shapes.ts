import type { ObjectShape, Shape } from "@incipit/schema";

/** What a template does with a value: print it, loop over it, look into it. */
export type Use = "print" | "list" | "record" | "object";

/** The members of a shape; itself, where it is no union. */
export const membersOf = (shape: Shape): readonly Shape[] =>
  shape.kind === "union" ? shape.members : [shape];

/** The objects among the members of a shape. */
export const objectsOf = (shape: Shape): readonly ObjectShape[] =>
  membersOf(shape).filter((member) => member.kind === "object");

/** Whether null is one of the values. */
export const isNullable = (shape: Shape): boolean => membersOf(shape).some(({ kind }) => kind === "null");

/** What can be done with the values of a shape, null aside. */
export function usesOf(shape: Shape): Use[] {
  return membersOf(shape).flatMap(({ kind }) => {
    if (kind === "null" || kind === "union") return [];
    return kind === "list" || kind === "record" || kind === "object" ? [kind] : ["print" as const];
  });
}

/** Texts that a string of a template can hold as they are. */
const PLAIN = /^[^"\\`{}\p{Cc}]*$/u;

/** The field and its constant that tell one object from all the others; null where no field does. */
export function tellsApart(
  owner: ObjectShape,
  all: readonly ObjectShape[],
): { name: string; value: string | number | boolean } | null {
  const others = all.filter((other) => other !== owner);
  if (others.length === 0) return null;
  for (const { name, shape, required } of owner.fields.values()) {
    if (!required || shape.kind !== "literal") continue;
    const { value } = shape;
    if (typeof value === "string" && !PLAIN.test(value)) continue;
    const isTold = others.every(({ fields }) => {
      const field = fields.get(name);
      return (
        field?.required === true &&
        membersOf(field.shape).every((member) => member.kind === "literal" && member.value !== value)
      );
    });
    if (isTold) return { name, value };
  }
  return null;
}

/** Whether the same can be read of two shapes. */
export function areAlike(one: Shape, other: Shape): boolean {
  const met = new Map<Shape, Set<Shape>>();
  const compare = (a: Shape, b: Shape): boolean => {
    if (a === b || met.get(a)?.has(b)) return true;
    met.set(a, (met.get(a) ?? new Set()).add(b));
    if (a.kind === "list") return b.kind === "list" && compare(a.item, b.item);
    if (a.kind === "record") return b.kind === "record" && compare(a.value, b.value);
    if (a.kind === "union")
      return (
        b.kind === "union" &&
        a.members.length === b.members.length &&
        a.members.every((member, i) => compare(member, b.members[i] ?? member))
      );
    if (a.kind !== "object") return a.kind === b.kind;
    return (
      b.kind === "object" &&
      a.fields.size === b.fields.size &&
      [...a.fields].every(([name, { shape }]) => {
        const field = b.fields.get(name);
        return field !== undefined && compare(shape, field.shape);
      })
    );
  };
  return compare(one, other);
}
