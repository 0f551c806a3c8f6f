// The declarations travel with this file wherever its source is compiled, also in the project of the tests.
// oxlint-disable-next-line typescript/triple-slash-reference -- the modules taken from within the library bring no types
/// <reference path="./handlebars-modules.d.ts" />
import * as actions from "handlebars/dist/cjs/handlebars/compiler/helpers.js";
import jison from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import WhitespaceControl from "handlebars/dist/cjs/handlebars/compiler/whitespace-control.js";
import type { StockLexer, StockLocation, StockParseFault, StockParser, StockProgram } from "./stock-ast.ts";

/** A fault the parser stopped at. Offsets are UTF-16 units from 0. */
export type ParseFault =
  | { kind: "syntax"; token: string | null; expected: readonly string[]; start: number; end: number }
  | { kind: "message"; message: string; start: number; end: number };

/** Either the parser's tree, whitespace control applied, or where it stopped. */
export type StockParse = { ok: true; program: StockProgram } | { ok: false; fault: ParseFault };

class SyntaxStop extends Error {
  readonly fault: ParseFault;
  constructor(fault: ParseFault) {
    super("the parser stopped");
    this.fault = fault;
  }
}

/**
 * A lexer of our own over the shared tables. It counts offsets, which are exact where lines and columns of the stock
 * one are not (a line separator confuses them), and puts text back without copying the rest of the body, which made
 * many comments take quadratic time.
 */
function createLexer(shared: StockLexer, source: string): StockLexer {
  const own: StockLexer = Object.create(shared);
  own.options = { ranges: true };
  own.unput = (text) => {
    own.offset -= text.length;
    // oxlint-disable-next-line no-underscore-dangle -- the lexer names it so
    own._input = source.slice(own.offset);
    own.yytext = "";
    own.match = "";
    return own;
  };
  return own;
}

/** Parses with Handlebars' grammar alone: nothing shared is changed and nothing is kept. */
export function parseStock(source: string): StockParse {
  // The pinned version has no types for these; stock-ast.ts writes down what its source builds.
  const parser = new jison.Parser() as StockParser;
  const lexer = createLexer(parser.lexer, source);
  parser.lexer = lexer;
  parser.yy = {
    ...actions,
    // An `else` in a decorator's block makes the stock action throw without a place; dropped, since the block is
    // refused as a whole.
    prepareBlock(open: { open?: string }, body: unknown, otherwise: unknown, ...rest: unknown[]): unknown {
      const kept = open.open?.includes("*") === true ? undefined : otherwise;
      return actions.prepareBlock.call(this, open, body, kept, ...rest);
    },
    locInfo: (location: { range: [number, number] }): StockLocation & { source: undefined } => ({
      source: undefined,
      start: { column: location.range[0] },
      end: { column: location.range[1] },
    }),
    parseError: (_dump: string, fault: StockParseFault): never => {
      const atToken = fault.token !== null;
      const [start, end] = (atToken ? lexer.yylloc.range : undefined) ?? [lexer.offset, lexer.offset];
      throw new SyntaxStop({
        kind: "syntax",
        token: fault.token,
        expected: fault.expected ?? [],
        start,
        end,
      });
    },
  };
  try {
    const program = new WhitespaceControl().accept(parser.parse(source)) as StockProgram; // the same tree, changed in place
    return { ok: true, program };
  } catch (error) {
    if (error instanceof SyntaxStop) return { ok: false, fault: error.fault };
    const fault = readException(error);
    if (fault === undefined) throw error;
    return { ok: false, fault };
  }
}

/** The grammar's actions throw an exception of Handlebars' own for two faults: a wrong closing tag, a bad path. */
function readException(error: unknown): ParseFault | undefined {
  if (!(error instanceof Object) || !("message" in error) || !("column" in error)) return undefined;
  const { message, column } = error;
  if (typeof message !== "string") return undefined;
  const start = typeof column === "number" ? column : 0;
  const end = "endColumn" in error && typeof error.endColumn === "number" ? error.endColumn : start;
  return { kind: "message", message: message.replace(/ - \S*:\d+$/, ""), start, end };
}
