import { membersOf, type ObjectShape, type Shape } from "@incipit/schema";

/** What a template does with a value: print it, loop over it, look into it. */
export type Use = "print" | "list" | "record" | "object";

/** What can be done with the values of a shape, null aside. */
export function usesOf(shape: Shape): readonly Use[] {
  const known = uses.get(shape) ?? [...new Set(findUses(shape))];
  uses.set(shape, known);
  return known;
}

const uses = new WeakMap<Shape, readonly Use[]>();

function findUses(shape: Shape): Use[] {
  return membersOf(shape).flatMap(({ kind }) => {
    if (kind === "null" || kind === "union") return [];
    return kind === "list" || kind === "record" || kind === "object" ? [kind] : ["print" as const];
  });
}

/** Texts that a string of a template can hold as they are. */
const PLAIN = /^[^"\\`{}\p{Cc}]*$/u;

const LONGEST_TAG = 100;

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
    // A long one would be written again in the example of every field.
    if (typeof value === "string" && (value.length > LONGEST_TAG || !PLAIN.test(value))) continue;
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
