import { LIMITS, ok, refuse, type Result, type Syntax, utf8Length } from "@incipit/schema";
import type { ParsedTemplate } from "./ast.ts";
import { finding, refuseFindings } from "./finding.ts";
import { createLocator, type Locator } from "./locator.ts";
import { scanNesting } from "./nesting-scan.ts";
import { parseSlots } from "./parse-slots.ts";
import { readBody } from "./read-statement.ts";
import { type Reader, TEMPLATE_SCOPE } from "./reader.ts";
import { parseStock } from "./stock-parser.ts";
import { explainFault } from "./syntax-findings.ts";

/** Bytes a node takes, roughly: the object, its position, its place in an array, and the closure it becomes. */
const NODE_BYTES = 200;

/**
 * Reads a body. Refuses one over the size limit (`too_large`), one that nests too deep or has too many parts
 * (`limit_exceeded`, before the parser sees it) and one that breaks rules of the language (`check_failed`, with every
 * finding, up to the 200 that are shown). Time is linear in
 * the body. What is returned is immutable.
 */
export function parseTemplate(body: string, syntax: Syntax): Result<ParsedTemplate> {
  const bytes = body.length > LIMITS.bodyBytes ? body.length : utf8Length(body);
  if (bytes > LIMITS.bodyBytes) {
    return refuse(
      "too_large",
      `The body is larger than ${LIMITS.bodyBytes} bytes. Move parts of it into partials.`,
    );
  }
  const locator = createLocator(body);
  switch (syntax) {
    case "handlebars":
      return parseHandlebars(locator);
    case "slots": {
      const { body: statements, findings, tooManyAt } = parseSlots(locator);
      if (tooManyAt !== null) return refuseParts(locator, tooManyAt);
      if (findings.length > 0) return refuseFindings(findings);
      return ok({
        syntax,
        body: statements,
        partials: [],
        includes: [],
        hasCacheBreakpoint: statements.some(({ kind }) => kind === "breakpoint"),
        size: sizeOf(body, statements.length),
      });
    }
    case "plain":
      return ok({
        syntax,
        body: body === "" ? [] : [{ kind: "text", text: body, position: locator.at(0, body.length) }],
        partials: [],
        includes: [],
        hasCacheBreakpoint: false,
        size: sizeOf(body, 1),
      });
    default:
      return syntax satisfies never;
  }
}

function refuseParts(locator: Locator, offset: number): Result<never> {
  const { line, column } = locator.at(offset, offset);
  const message =
    `The body has more than ${LIMITS.bodyParts} tags, and names in them, up to here (limit "bodyParts"). ` +
    "Move parts of it into partials, or loop.";
  return refuse("limit_exceeded", message, { line, column });
}

const sizeOf = (body: string, nodes: number): number => body.length * 2 + nodes * NODE_BYTES;

function parseHandlebars(locator: Locator): Result<ParsedTemplate> {
  const { source } = locator;
  const scan = scanNesting(source);
  if (scan.tooDeepAt !== null) {
    const { line, column } = locator.at(scan.tooDeepAt, scan.tooDeepAt);
    const message =
      `Blocks and parentheses nest deeper than ${LIMITS.nesting} here (limit "nesting"; each else-if counts). ` +
      "Move the inner part into a partial.";
    return refuse("limit_exceeded", message, { line, column });
  }
  if (scan.tooManyAt !== null) return refuseParts(locator, scan.tooManyAt);
  if (scan.rawBlockAt !== null) {
    const position = locator.at(scan.rawBlockAt, scan.rawBlockAt + 4);
    const hint = "Write \\{{ for braces that are text, or give the template the plain syntax.";
    return refuseFindings([finding("raw_block", position, "Raw blocks are not part of the language.", hint)]);
  }
  const stock = parseStock(source);
  if (!stock.ok) return refuseFindings([explainFault(stock.fault, scan, locator)]);

  const reader: Reader = { locator, findings: [], includes: [], breakpoints: 0, nodes: 0 };
  const body = readBody(reader, TEMPLATE_SCOPE, stock.program);
  if (reader.findings.length > 0) return refuseFindings(reader.findings);
  return ok({
    syntax: "handlebars",
    body,
    partials: [...new Set(reader.includes.map(({ key }) => key))],
    includes: reader.includes,
    hasCacheBreakpoint: reader.breakpoints > 0,
    size: sizeOf(source, reader.nodes),
  });
}
