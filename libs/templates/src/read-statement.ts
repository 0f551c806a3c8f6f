import type { Statement } from "./ast.ts";
import { BREAKPOINT, isBlockName, isHelperName } from "./helper-table.ts";
import { readBlock, readRefused } from "./read-block.ts";
import { bareName } from "./read-path.ts";
import { MOST_FINDINGS } from "./finding.ts";
import { helperName, readArguments, readCall, readPrintedPath } from "./read-expression.ts";
import { readInclude } from "./read-include.ts";
import { isInLoop, positionOf, type Reader, report, type Scope } from "./reader.ts";
import type { StockMustache, StockProgram, StockStatement } from "./stock-ast.ts";

/** Reads a body. Comments and empty text are dropped, neighbouring text is joined. */
export function readBody(
  reader: Reader,
  scope: Scope,
  program: StockProgram | undefined,
): readonly Statement[] {
  const body: Statement[] = [];
  for (const stock of program?.body ?? []) {
    if (reader.findings.length > MOST_FINDINGS) break;
    for (const statement of readStatement(reader, scope, stock)) {
      const last = body.at(-1);
      if (statement.kind === "text" && last?.kind === "text") {
        const { endLine, endColumn } = statement.position;
        const position = { ...last.position, endLine, endColumn };
        body[body.length - 1] = { kind: "text", text: last.text + statement.text, position };
      } else {
        reader.nodes++;
        body.push(statement);
      }
    }
  }
  return body;
}

function readStatement(reader: Reader, scope: Scope, stock: StockStatement): readonly Statement[] {
  switch (stock.type) {
    case "ContentStatement":
      return stock.value === ""
        ? []
        : [{ kind: "text", text: stock.value, position: positionOf(reader, stock) }];
    case "CommentStatement":
      return [];
    case "MustacheStatement":
    case "Decorator":
      return listed(readMustache(reader, scope, stock));
    case "BlockStatement":
    case "DecoratorBlock":
      return listed(readBlock(reader, scope, stock, readBody));
    case "PartialStatement":
      return readInclude(reader, scope, stock);
    case "PartialBlockStatement":
      report(
        reader,
        "partial_block",
        positionOf(reader, stock),
        "A partial cannot be given a block of text.",
        "Write {{> key}}, and give what varies by name: {{> key name=value}}.",
      );
      return listed(readRefused(reader, scope, readBody, [stock.program]));
    default:
      return stock satisfies never;
  }
}

const listed = (statement: Statement | undefined): readonly Statement[] =>
  statement === undefined ? [] : [statement];

function readMustache(reader: Reader, scope: Scope, stock: StockMustache): Statement | undefined {
  const position = positionOf(reader, stock);
  if (stock.type === "Decorator") {
    report(reader, "decorator", position, "Decorators are not part of the language.", "Remove it.");
    return undefined;
  }
  const name = stock.path.type === "PathExpression" ? bareName(reader, scope, stock.path) : undefined;
  const isBare = stock.params.length === 0 && stock.hash === undefined;
  if (name === BREAKPOINT && isBare) return readBreakpoint(reader, scope, position);

  const isCall =
    !isBare || (name !== undefined && (isHelperName(name) || isBlockName(name) || name === "log"));
  if (isCall) {
    const args = readArguments(reader, scope, stock);
    const called = helperName(reader, scope, stock.path);
    const value = readCall(reader, called, positionOf(reader, stock.path), args, position);
    return value && { kind: "print", value, position };
  }
  const value = readPrintedPath(reader, scope, stock.path);
  return value && { kind: "print", value, position };
}

function readBreakpoint(
  reader: Reader,
  scope: Scope,
  position: ReturnType<typeof positionOf>,
): Statement | undefined {
  reader.breakpoints++;
  if (reader.breakpoints > 1) {
    report(
      reader,
      "breakpoint_misplaced",
      position,
      `{{${BREAKPOINT}}} stands here a second time.`,
      "Keep one.",
    );
  }
  if (isInLoop(scope)) {
    report(
      reader,
      "breakpoint_misplaced",
      position,
      `{{${BREAKPOINT}}} cannot stand inside a loop, where it would come more than once.`,
      "Put it before or after the {{#each}}.",
    );
  }
  return { kind: "breakpoint", position };
}
