import { type Finding, LIMITS } from "@incipit/schema";
import type { Statement } from "./ast.ts";
import { finding } from "./finding.ts";
import { BREAKPOINT } from "./helper-table.ts";
import type { Locator } from "./locator.ts";

/** `{name}`, with the backslash that makes it text. An identifier: letters of any script, digits and `_`. */
const SLOT = /(\\?)\{([\p{ID_Start}_][\p{ID_Continue}]*)\}/gu;

type ParsedSlots = {
  readonly body: readonly Statement[];
  readonly findings: readonly Finding[];
  /** Where the slots first exceed the limit; reading ends there. */
  readonly tooManyAt: number | null;
};

/** Reads a body of the slots syntax. Every brace that is not of a slot is text. */
export function parseSlots(locator: Locator): ParsedSlots {
  const { source } = locator;
  const body: Statement[] = [];
  const findings: Finding[] = [];
  let text = "";
  let textStart = 0;
  let last = 0;
  const endText = (end: number): void => {
    if (text !== "") body.push({ kind: "text", text, position: locator.at(textStart, end) });
    text = "";
  };
  let breakpoints = 0;
  let slots = 0;
  for (const match of source.matchAll(SLOT)) {
    const [whole, backslash, name = ""] = match;
    const end = match.index + whole.length;
    if (++slots > LIMITS.bodyParts) return { body, findings, tooManyAt: match.index };
    text += source.slice(last, match.index);
    last = end;
    if (backslash !== "") {
      text += whole.slice(1);
      continue;
    }
    endText(match.index);
    textStart = end;
    const position = locator.at(match.index, end);
    if (name !== BREAKPOINT) body.push({ kind: "slot", name, position });
    else {
      body.push({ kind: "breakpoint", position });
      if (++breakpoints > 1) {
        const message = `{${BREAKPOINT}} stands here a second time.`;
        findings.push(finding("breakpoint_misplaced", position, message, "Keep one."));
      }
    }
  }
  text += source.slice(last);
  endText(source.length);
  return { body, findings, tooManyAt: null };
}
