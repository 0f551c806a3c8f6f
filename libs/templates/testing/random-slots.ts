import type { Shape } from "@incipit/schema";
import type { Part } from "./part.ts";
import type { Random } from "./random.ts";
import { fieldsOf } from "./random-refs.ts";

/** A body in the slots syntax: fields that can be named so. */
export function writeSlots(random: Random, shape: Shape | null): Part {
  const fields =
    shape === null
      ? []
      : fieldsOf(shape).filter(({ text }) => /^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(text));
  const slots = fields
    .filter(() => random.chance(0.7))
    .map(({ text }): Part => ({ pieces: [`{${text}}`], used: [], again: null }));
  return { pieces: ["a ", ...slots, random.chance(0.1) ? "\\{b}" : " b"], used: [], again: null };
}
