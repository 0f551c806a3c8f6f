import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/**
 * Lines that may come and go before the whole text is shown as replaced. To find a smaller difference takes time that grows
 * with their square.
 */
const MOST_EDITS = 1_000;
/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;

/** One side of a difference: what it is called, and its text. */
type Side = { name: string; text: string };

/** What two texts differ in, as a unified diff; empty where they are equal. Line ends count: a text is bytes to us. */
export function unifiedDiff(from: Side, to: Side): string {
  if (from.text === to.text) return "";
  const patch: string | undefined = createTwoFilesPatch(
    from.name,
    to.name,
    from.text,
    to.text,
    undefined,
    undefined,
    {
      context: CONTEXT_LINES,
      maxEditLength: MOST_EDITS,
      headerOptions: FILE_HEADERS_ONLY,
    },
  );
  return patch ?? replaceAll(from, to);
}

/** The diff that takes every line away and puts every line of the other in its place. */
function replaceAll(from: Side, to: Side): string {
  const before = linesOf(from.text);
  const after = linesOf(to.text);
  return [
    `--- ${from.name}\n+++ ${to.name}\n@@ -${rangeOf(before)} +${rangeOf(after)} @@\n`,
    ...before.map((line) => mark("-", line)),
    ...after.map((line) => mark("+", line)),
  ].join("");
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

const rangeOf = (lines: readonly string[]) => `${lines.length === 0 ? 0 : 1},${lines.length}`;

function mark(sign: string, line: string): string {
  return line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}
