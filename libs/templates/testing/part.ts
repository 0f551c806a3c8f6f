import type { Finding } from "@incipit/schema";
import type { Random } from "./random.ts";

/** A part of a template that can be written anew, with the parts inside it. All of a template stands in one line. */
export type Part = {
  pieces: readonly (string | Part)[];
  /** What its own tag reads, as written: a guard around it can name these. */
  used: readonly string[];
  /** Another part for the same place; null where there is none. */
  again: (() => Part) | null;
};

/** The text of a part. */
export function writePart(part: Part): string {
  return part.pieces.map((piece) => (typeof piece === "string" ? piece : writePart(piece))).join("");
}

/** The innermost part that holds a place of the text, and is not the whole; null where there is none. */
export function partAt(whole: Part, offset: number): Part | null {
  let found: Part | null = null;
  let at = 0;
  const visit = (part: Part): void => {
    for (const piece of part.pieces) {
      if (typeof piece === "string") {
        at += piece.length;
        continue;
      }
      const start = at;
      const before = found;
      visit(piece);
      if (start <= offset && offset < at && found === before) found = piece;
    }
  };
  visit(whole);
  return found;
}

/** The parts that findings lie in, each once. */
export function partsOf(
  findings: readonly Finding[],
  wholeOf: (partial: string | undefined) => Part | undefined,
) {
  const parts = new Set<Part>();
  for (const { partial, column } of findings) {
    const whole = wholeOf(partial);
    const part = whole === undefined ? null : partAt(whole, column - 1);
    if (part !== null) parts.add(part);
  }
  return parts;
}

/** Changes a part that something is wrong with: a guard around it, or another in its place, or nothing. */
export function mendPart(random: Random, part: Part): void {
  const { used, again, pieces } = part;
  if (used.length > 0 && random.chance(0.5)) {
    const inside: Part = { pieces, used, again: null };
    part.pieces = guard(random, random.pick(used), random.pick(used), inside);
    part.used = [];
    part.again = again;
  } else if (again !== null && random.chance(0.6)) Object.assign(part, again(), { again: null });
  else Object.assign(part, { pieces: ["-"], used: [], again: null });
}

function guard(random: Random, a: string, b: string, inside: Part): Part["pieces"] {
  switch (random.int(14)) {
    case 0:
      return [`{{#unless ${a}}}-{{else}}`, inside, "{{/unless}}"];
    case 1:
      return [`{{#if ${a} includeZero=true}}`, inside, "{{/if}}"];
    case 2:
      return [`{{#if (and ${a} ${b})}}`, inside, "{{/if}}"];
    case 3:
      return [`{{#unless (or (not ${a}) (not ${b}))}}`, inside, "{{/unless}}"];
    case 4:
      return [`{{#if (not ${a})}}-{{else if ${b}}}`, inside, "{{/if}}"];
    case 5:
      return [`{{#unless (eq ${a} null)}}`, inside, "{{/unless}}"];
    case 6:
      return [`{{#if (ne null ${a})}}`, inside, "{{/if}}"];
    case 7: {
      const fallback = random.pick(["false", "0", '""', b]);
      const zero = random.chance(0.5) ? " includeZero=true" : "";
      return [`{{#if (default ${a} ${fallback})${zero}}}`, inside, "{{/if}}"];
    }
    case 8:
      return [`{{#if (gt (length ${a}) 0)}}`, inside, "{{/if}}"];
    case 9:
      return [`{{#if (lt 0 (length ${a}))}}{{#if ${b}}}`, inside, "{{/if}}{{/if}}"];
    default:
      return [`{{#if ${a}}}`, inside, random.pick(["{{/if}}", "{{else}}none{{/if}}"])];
  }
}
