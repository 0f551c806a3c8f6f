import type { BlockName, Expression, If, Statement } from "./ast.ts";
import { didYouMean } from "./did-you-mean.ts";
import { isPrototypeName, RESERVED_NAMES } from "@incipit/schema";
import { BLOCKS, isBlockName, isHelperName } from "./helper-table.ts";
import { helperName, nothing, readExpression, refuseNamed } from "./read-expression.ts";
import { positionOf, type ReadBody, type Reader, report, type Scope } from "./reader.ts";
import type { StockBlock, StockProgram } from "./stock-ast.ts";

/** Reads `{{#if}}`, `{{#unless}}`, `{{#each}}` or `{{#with}}`, or reports what else it is. */
export function readBlock(
  reader: Reader,
  scope: Scope,
  stock: StockBlock,
  readBody: ReadBody,
): Statement | undefined {
  const position = positionOf(reader, stock);
  if (stock.type === "DecoratorBlock") return refuseDecorator(reader, scope, stock, readBody);

  const name = helperName(reader, scope, stock.path);
  const names = readNames(reader, stock);
  if (!isBlockName(name)) return refuseBlock(reader, scope, stock, readBody, name, names);

  const args = stock.params.map((param) => readExpression(reader, scope, param));
  if (args.length !== 1) {
    report(
      reader,
      "wrong_arity",
      positionOf(reader, stock.path),
      `{{#${name}}} takes one argument, and ${args.length === 0 ? "none is" : `${args.length} are`} given.`,
      name === "if" || name === "unless" ? `Combine conditions: {{#${name} (and a b)}}.` : undefined,
    );
  }
  const [argument = nothing(position)] = args;
  checkNames(reader, name, names);
  if (name === "if" || name === "unless") return readIf(reader, scope, stock, readBody, name, argument);

  refuseNamed(reader, stock.hash, `{{#${name}}} takes one value.`);
  const inner: Scope = { kind: name, outer: scope, names };
  const body = readBody(reader, inner, stock.program);
  const otherwise = readBody(reader, scope, stock.inverse);
  return name === "each"
    ? { kind: "each", over: argument, names, body, otherwise, position }
    : { kind: "with", value: argument, names, body, otherwise, position };
}

function readIf(
  reader: Reader,
  scope: Scope,
  stock: StockBlock,
  readBody: ReadBody,
  name: string,
  condition: Expression,
): If {
  let includeZero = false;
  for (const pair of stock.hash?.pairs ?? []) {
    if (pair.key === "includeZero" && pair.value.type === "BooleanLiteral") includeZero = pair.value.value;
    else {
      const why = "The only one is includeZero=true (or false).";
      report(
        reader,
        "unknown_argument",
        positionOf(reader, pair),
        `\`${pair.key}=\` is not known here. ${why}`,
      );
    }
  }
  return {
    kind: "if",
    negated: name === "unless",
    condition,
    includeZero,
    body: readBody(reader, scope, stock.program),
    otherwise: readBody(reader, scope, stock.inverse),
    position: positionOf(reader, stock),
  };
}

/** Block parameters with their places; Handlebars keeps the names only. */
function readNames(reader: Reader, stock: StockBlock): BlockName[] {
  const names = stock.program?.blockParams ?? stock.inverse?.blockParams ?? [];
  if (names.length === 0) return [];
  const ends = [stock.path, ...stock.params, ...(stock.hash === undefined ? [] : [stock.hash])];
  const pattern = /\s*as\s+\|/y;
  pattern.lastIndex = Math.max(...ends.slice(-2).map((node) => node.loc.end.column));
  pattern.exec(reader.locator.source);
  return names.map((name) => {
    const next = /\s*(\[(?:\\\]|[^\]])*\]|[^\s|]+)/y;
    next.lastIndex = pattern.lastIndex;
    const written = next.exec(reader.locator.source)?.[1] ?? name;
    pattern.lastIndex = next.lastIndex;
    return { name, position: reader.locator.at(next.lastIndex - written.length, next.lastIndex) };
  });
}

function checkNames(
  reader: Reader,
  block: "if" | "unless" | "each" | "with",
  names: readonly BlockName[],
): void {
  const allowed = block === "each" ? 2 : block === "with" ? 1 : 0;
  names.forEach(({ name, position }, i) => {
    if (i >= allowed) {
      const what =
        allowed === 0 ? "gives no names" : `gives ${allowed === 1 ? "one name" : "two names"} at most`;
      const hint = allowed === 0 ? "Use {{#with value as |name|}}." : undefined;
      report(
        reader,
        "block_parameters",
        position,
        `{{#${block}}} ${what}: \`${name}\` is one too many.`,
        hint,
      );
    } else if (RESERVED_NAMES.includes(name) || isPrototypeName(name)) {
      report(
        reader,
        "block_parameters",
        position,
        `\`${name}\` means something else already.`,
        "Choose another name.",
      );
    } else if (names.findIndex((other) => other.name === name) < i) {
      report(reader, "block_parameters", position, `\`${name}\` is given twice.`, "Choose another name.");
    }
  });
}

/** Reads what a refused block holds, to report the findings in it as well. */
export function readRefused(
  reader: Reader,
  scope: Scope,
  readBody: ReadBody,
  programs: readonly (StockProgram | undefined)[],
  names: readonly BlockName[] = [],
): undefined {
  const inner: Scope = { kind: "unknown", outer: scope, names };
  for (const program of programs) readBody(reader, inner, program);
  return undefined;
}

function refuseDecorator(reader: Reader, scope: Scope, stock: StockBlock, readBody: ReadBody): undefined {
  const inline = stock.path.type === "PathExpression" && stock.path.original === "inline";
  report(
    reader,
    inline ? "inline_partial" : "decorator",
    positionOf(reader, stock),
    inline ? "Inline partials are not part of the language." : "Decorators are not part of the language.",
    inline ? "Add it as a template of kind partial and include it with {{> key}}." : "Remove it.",
  );
  return readRefused(reader, scope, readBody, [stock.program, stock.inverse]);
}

function refuseBlock(
  reader: Reader,
  scope: Scope,
  stock: StockBlock,
  readBody: ReadBody,
  name: string,
  names: readonly BlockName[],
): undefined {
  const near = didYouMean(name, BLOCKS);
  const plain = stock.params.length === 0;
  const hint = isHelperName(name)
    ? `Use its value: {{#if (${name} …)}}.`
    : near !== undefined
      ? `Did you mean {{#${near}}}?`
      : plain
        ? `Write {{#if ${name}}}, {{#unless ${name}}}, {{#each ${name}}} or {{#with ${name}}}.`
        : "The blocks are if, unless, each and with.";
  report(reader, "unknown_block", positionOf(reader, stock.path), `There is no block \`${name}\`.`, hint);
  for (const param of stock.params) readExpression(reader, scope, param);
  return readRefused(reader, scope, readBody, [stock.program, stock.inverse], names);
}
