import type { Finding } from "@incipit/schema";
import { finding } from "./finding.ts";
import type { Locator } from "./locator.ts";
import type { NestingScan } from "./nesting-scan.ts";
import type { ParseFault } from "./stock-parser.ts";

const MUSTACHE = 2;

/** The finding for a place where the parser stopped: what is wrong there, in words, and what to write instead. */
export function explainFault(fault: ParseFault, scan: NestingScan, locator: Locator): Finding {
  const at = (start: number, end: number) => locator.at(start, end);
  if (fault.kind === "message") return explainMessage(fault.message, at(fault.start, fault.end));

  const { token, start, end } = fault;
  const met = locator.source.slice(start, end);
  const here = at(start, end);
  const open = scan.openMustache;
  const isLast = !locator.source.includes("}}", start);
  if (open !== null && (token === "EOF" || token === null || (token === "INVALID" && isLast))) {
    const isComment = /^\{\{~?!/.test(locator.source.slice(open.start, open.start + 4));
    if (isComment || token !== null) {
      const closing = isComment ? "its end" : "`}}`";
      return finding(
        "syntax_error",
        at(open.start, open.start + MUSTACHE),
        `This \`{{\` is never closed: ${closing} is missing.`,
        "Close it, or write \\{{ for the two braces themselves.",
      );
    }
  }
  switch (token) {
    case null:
      return finding("syntax_error", here, "A character stands here that no template may contain (NUL).");
    case "EOF": {
      const block = scan.openBlocks.at(-1);
      if (block === undefined) return finding("syntax_error", here, "The template ends too early here.");
      const position = at(block.start, block.start + MUSTACHE);
      return finding(
        "syntax_error",
        position,
        `The block \`${block.name}\` is opened here and never closed.`,
        `Close it with {{/${block.name}}}.`,
      );
    }
    case "OPEN_ENDBLOCK":
      return finding(
        "syntax_error",
        here,
        "This closing tag closes nothing.",
        "Remove it, or open its block before it.",
      );
    case "INVERSE":
    case "OPEN_INVERSE_CHAIN":
      return finding(
        "syntax_error",
        here,
        "This `else` belongs to no block, or its block has one already.",
        "An `else` stands once, last, inside {{#if}}, {{#unless}}, {{#each}} or {{#with}}.",
      );
    case "CLOSE":
    case "CLOSE_UNESCAPED":
      return explainClose(fault, met, here);
    case "CLOSE_SEXPR":
      return finding("syntax_error", here, "This `)` closes nothing, or stands where a value is missing.");
    case "NUMBER":
      return finding(
        "syntax_error",
        here,
        `A number cannot stand here: \`${met}\`.`,
        `For an item of a list write xs.[${met}]; quote a partial's key: {{> "a/${met}"}}.`,
      );
    case "STRING":
      return finding("syntax_error", here, `A string cannot stand here: ${met}.`);
    case "INVALID":
      if (met !== "'" && met !== '"') break;
      return finding(
        "syntax_error",
        here,
        "This string is never closed.",
        "Close it with the quote it opens with.",
      );
    case "EQUALS":
      return finding(
        "syntax_error",
        here,
        "`=` can only follow a name: name=value.",
        "To compare, write (eq a b).",
      );
    default:
      break;
  }
  if (met.startsWith("{{")) {
    return finding(
      "syntax_error",
      here,
      "A `{{` stands inside another `{{ … }}` here.",
      "Close the first one before it, or put a call in parentheses: (helper a b).",
    );
  }
  return finding("syntax_error", here, `\`${met}\` cannot stand here.`, hintFor(met));
}

function explainClose(
  fault: { expected: readonly string[] },
  met: string,
  here: ReturnType<Locator["at"]>,
): Finding {
  if (fault.expected.includes("'CLOSE_UNESCAPED'")) {
    return finding(
      "syntax_error",
      here,
      "`{{{` is closed by `}}` here.",
      "Close it with `}}}`, or open with `{{`: both print the same.",
    );
  }
  if (fault.expected.includes("'CLOSE_SEXPR'")) {
    return finding("syntax_error", here, "A `(` is still open here.", "Close it with `)`.");
  }
  if (met === "}}}")
    return finding(
      "syntax_error",
      here,
      "`{{` is closed by `}}}` here.",
      "Close it with `}}`. For a brace after it leave a space: {{x}} }.",
    );
  return finding("syntax_error", here, "A name or a value is missing before this `}}`.");
}

function hintFor(met: string): string | undefined {
  if (met === "#" || met === "/" || met === "^") return `Write it directly after the braces: {{${met}.`;
  if (met.includes("&") || met.includes("|") || met === "!" || met === "<" || met === ">" || met === "=") {
    return "Conditions are written with helpers: (and a b), (or a b), (not a), (lt a b), (eq a b).";
  }
  return undefined;
}

function explainMessage(message: string, here: ReturnType<Locator["at"]>): Finding {
  const wrongEnd = /^(.*) doesn't match (.*)$/s.exec(message);
  if (wrongEnd !== null) {
    const [, opened = "", closed = ""] = wrongEnd;
    return finding(
      "syntax_error",
      here,
      `The block \`${opened}\` is opened here, but the next closing tag is {{/${closed}}}.`,
      `Write {{/${opened}}} there.`,
    );
  }
  const badPath = /^Invalid path: (.*)$/s.exec(message);
  if (badPath !== null) {
    return finding(
      "syntax_error",
      here,
      `\`${badPath[1] ?? ""}\` is no path: \`this\`, \`.\` and \`..\` can only stand at its start.`,
      "A field with such a name is written in brackets: [this].",
    );
  }
  return finding("syntax_error", here, "The template cannot be read here.");
}
