import { isPrototypeName } from "@incipit/schema";
import type { Position } from "@incipit/schema";
import type { Call, Expression, Literal, Path } from "./ast.ts";
import { didYouMean } from "./did-you-mean.ts";
import { BLOCKS, BREAKPOINT, HELPERS, type HelperName, isBlockName, isHelperName } from "./helper-table.ts";
import { bareName, readPath } from "./read-path.ts";
import { positionOf, type Reader, report, type Scope } from "./reader.ts";
import type { StockArguments, StockExpression, StockHash, StockHead, StockLiteral } from "./stock-ast.ts";

/** Reads a value: a path, a constant, or a call in parentheses. */
export function readExpression(reader: Reader, scope: Scope, stock: StockExpression): Expression {
  switch (stock.type) {
    case "PathExpression":
      return readPath(reader, scope, stock);
    case "SubExpression": {
      const position = positionOf(reader, stock);
      const name = helperName(reader, scope, stock.path);
      const args = readArguments(reader, scope, stock);
      return readCall(reader, name, positionOf(reader, stock.path), args, position) ?? nothing(position);
    }
    default:
      return readLiteral(reader, stock);
  }
}

/** Stands in where a finding was reported; a template with findings is never run. */
export function nothing(position: Position): Literal {
  return { kind: "literal", value: null, position };
}

function readLiteral(reader: Reader, stock: StockLiteral): Literal {
  reader.nodes++;
  const position = positionOf(reader, stock);
  switch (stock.type) {
    case "NullLiteral":
      return nothing(position);
    case "UndefinedLiteral":
      report(reader, "undefined_literal", position, "`undefined` is no value here.", "Write null.");
      return nothing(position);
    case "NumberLiteral":
      if (Number.isFinite(stock.value)) break;
      report(reader, "syntax_error", position, "This number is larger than any that can be held.");
      return nothing(position);
    default:
  }
  return { kind: "literal", value: stock.value, position };
}

/** The helper a call names: its bare name, else the text as written, which no helper has. */
export function helperName(reader: Reader, scope: Scope, head: StockHead): string {
  const written = (): string => reader.locator.source.slice(head.loc.start.column, head.loc.end.column);
  return (head.type === "PathExpression" ? bareName(reader, scope, head) : undefined) ?? written();
}

/** Reads the arguments of a helper, which takes none by name. */
export function readArguments(reader: Reader, scope: Scope, stock: StockArguments): Expression[] {
  const args = stock.params.map((param) => readExpression(reader, scope, param));
  refuseNamed(reader, stock.hash, "A helper takes its arguments by place.");
  return args;
}

/** Reports each `name=value` where none may stand. */
export function refuseNamed(reader: Reader, hash: StockHash | undefined, why: string): void {
  for (const pair of hash?.pairs ?? []) {
    report(
      reader,
      "unknown_argument",
      positionOf(reader, pair),
      `\`${pair.key}=\` is not known here. ${why}`,
    );
  }
}

/** Builds a call, or reports why there can be none. */
export function readCall(
  reader: Reader,
  name: string,
  helperPosition: Position,
  args: readonly Expression[],
  position: Position,
): Call | undefined {
  reader.nodes++;
  if (name === "log") {
    report(
      reader,
      "log",
      position,
      "`log` is not part of the language: rendering has no side effects.",
      "Remove it.",
    );
    return undefined;
  }
  if (isBlockName(name)) {
    report(
      reader,
      "block_as_value",
      position,
      `\`${name}\` is a block and has no value.`,
      `Write {{#${name} …}}…{{/${name}}}; a field of that name is this.${name}.`,
    );
    return undefined;
  }
  if (name === BREAKPOINT) {
    report(
      reader,
      "breakpoint_misplaced",
      position,
      `\`${BREAKPOINT}\` has no value.`,
      `Write it alone: {{${BREAKPOINT}}}.`,
    );
    return undefined;
  }
  if (!isHelperName(name)) {
    const near = didYouMean(name, [...Object.keys(HELPERS), ...BLOCKS]);
    report(
      reader,
      "unknown_helper",
      helperPosition,
      `There is no helper \`${name}\`.`,
      near === undefined ? `The helpers are ${Object.keys(HELPERS).join(", ")}.` : `Did you mean ${near}?`,
    );
    return undefined;
  }
  if (!fits(name, args.length)) {
    report(
      reader,
      "wrong_arity",
      position,
      `\`${name}\` takes ${arity(name)}, and ${args.length === 0 ? "none is" : `${args.length} are`} given.`,
      `Write ${HELPERS[name].usage}${args.length === 0 ? `; a field of that name is this.${name}` : ""}.`,
    );
    return undefined;
  }
  const key = args[1];
  if (name === "lookup" && key?.kind === "literal" && isPrototypeName(String(key.value))) {
    report(
      reader,
      "prototype_name",
      key.position,
      `\`${String(key.value)}\` belongs to JavaScript's prototypes and is no field.`,
    );
  }
  return { kind: "call", helper: name, helperPosition, args, position };
}

const fits = (name: HelperName, given: number): boolean =>
  given >= HELPERS[name].min && given <= HELPERS[name].max;

function arity(name: HelperName): string {
  const { min, max } = HELPERS[name];
  const many = (count: number): string => (count === 1 ? "one argument" : `${count} arguments`);
  if (min === max) return many(min);
  return max === Infinity ? `at least ${many(min)}` : `${min} or ${many(max)}`;
}

/** Reads what `{{…}}` prints, when it is a field. */
export function readPrintedPath(reader: Reader, scope: Scope, head: StockHead): Path | undefined {
  if (head.type === "PathExpression") return readPath(reader, scope, head);
  const written = reader.locator.source.slice(head.loc.start.column, head.loc.end.column);
  report(
    reader,
    "literal_as_field",
    positionOf(reader, head),
    `${written} is a constant; Handlebars would read a field of that name.`,
    "Write the text without braces, or this.[name] for a field.",
  );
  return undefined;
}
