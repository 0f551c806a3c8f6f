import type { Finding } from "@incipit/schema";
import { lineStarts } from "./locator.ts";

const TAB = 4;
/** Columns of a source line that are shown; a longer one is cut around the place. */
const SHOWN = 100;
const BEFORE = 40;

// Control characters would move the cursor or worse, and some format characters turn the direction of the line.
const UNSEEN = /^[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;
const NO_WIDTH = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200d])$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

type Shown = { text: string; width: number };

function showCharacter(character: string, column: number): Shown {
  if (character === "\t") {
    const width = TAB - (column % TAB);
    return { text: " ".repeat(width), width };
  }
  if (UNSEEN.test(character)) return { text: "\u00b7", width: 1 };
  if (NO_WIDTH.test(character)) return { text: character, width: 0 };
  return { text: character, width: WIDE.test(character) ? 2 : 1 };
}

function show(text: string, column: number): Shown {
  let shown = "";
  let width = 0;
  for (const character of text) {
    const next = showCharacter(character, column + width);
    shown += next.text;
    width += next.width;
  }
  return { text: shown, width };
}

/**
 * A finding for a terminal: the place and the message, the source line with a caret under the place, and the hint.
 * A finding in a partial is shown without the line, since `body` is not its body.
 */
export function formatFinding(body: string, finding: Finding): string {
  const { line, column, endLine, endColumn, message, hint, partial } = finding;
  const out = [`${partial === undefined ? "" : `${partial}:`}${line}:${column} ${show(message, 0).text}`];
  const starts = lineStarts(body);
  const start = starts[line - 1];
  if (partial === undefined && start !== undefined) {
    const source = body.slice(start, starts[line] ?? body.length).replace(/[\r\n]+$/, "");
    const from = Math.min(column - 1, source.length);
    const to = endLine === line ? Math.min(endColumn - 1, source.length) : source.length;
    const cut = from > SHOWN - BEFORE ? from - BEFORE : 0;
    const before = show(source.slice(cut, from), 0);
    const lead = cut > 0 ? "…" : "";
    const marked = show(source.slice(from, Math.min(to, cut + SHOWN)), before.width);
    const rest = show(
      source.slice(Math.max(from, Math.min(to, cut + SHOWN)), cut + SHOWN),
      before.width + marked.width,
    );
    const tail = source.length > cut + SHOWN ? "…" : "";
    const number = String(line);
    const gap = " ".repeat(number.length);
    out.push(`  ${number} | ${lead}${before.text}${marked.text}${rest.text}${tail}`);
    out.push(`  ${gap} | ${" ".repeat(lead.length + before.width)}${"^".repeat(Math.max(1, marked.width))}`);
  }
  if (hint !== undefined) out.push(`  hint: ${show(hint, 0).text}`);
  out.push(...witnessLines(finding));
  return out.join("\n");
}

/** Characters of a context that are shown: the whole one is in the JSON. */
const SHOWN_CONTEXT = 600;

/** The context that makes the template fail, on one line, and what happens with it. */
export function witnessLines({ witness, line, column }: Finding): string[] {
  if (witness === undefined) return [];
  if (witness === null) return ["  no context was found that makes it fail"];
  const { context, variant, fails } = witness;
  const json = JSON.stringify(context);
  const shown = json.length > SHOWN_CONTEXT ? `${json.slice(0, SHOWN_CONTEXT)}…` : json;
  const of = variant === undefined ? "" : ` ("${variant}")`;
  const isHere = fails.line === line && fails.column === column;
  const place = `${fails.partial === undefined ? "" : `${fails.partial}:`}${fails.line}:${fails.column}`;
  const at = isHere || fails.line === undefined ? "" : ` already at ${place}`;
  return [
    `  with${show(of, 0).text} ${show(shown, 0).text}`,
    `  ${fails.code}${at}: ${show(fails.message, 0).text}`,
  ];
}
