import { parseKey } from "@incipit/schema";
import type { Include, NamedArgument, Statement } from "./ast.ts";
import { isPrototypeName } from "@incipit/schema";
import { readExpression } from "./read-expression.ts";
import { isInLoop, positionOf, type Reader, report, type Scope } from "./reader.ts";
import type { StockHash, StockPartial } from "./stock-ast.ts";

/**
 * Reads an include. Whitespace before one that stands alone on its line is printed once, before its text; the lines
 * of the text are not indented, since that would change the values in them.
 */
export function readInclude(reader: Reader, scope: Scope, stock: StockPartial): readonly Statement[] {
  const position = positionOf(reader, stock);
  const key = readKey(reader, stock);
  const [context, second] = stock.params.map((param) => readExpression(reader, scope, param));
  if (second !== undefined) {
    report(
      reader,
      "partial_arguments",
      second.position,
      "A partial takes one context at most.",
      "Give the others by name: {{> key name=value}}.",
    );
  }
  const include: Include = {
    kind: "include",
    key,
    keyPosition: positionOf(reader, stock.name),
    context: context ?? null,
    fields: readFields(reader, scope, stock.hash),
    inLoop: isInLoop(scope),
    index: reader.includes.length,
    position,
  };
  reader.includes.push(include);
  if (stock.indent === "") return [include];
  const start = stock.loc.start.column;
  const text = reader.locator.at(start - stock.indent.length, start);
  return [{ kind: "text", text: stock.indent, position: text }, include];
}

function readKey(reader: Reader, { name }: StockPartial): string {
  const position = positionOf(reader, name);
  if (name.type === "SubExpression") {
    report(
      reader,
      "dynamic_partial",
      position,
      "The key of a partial cannot be computed: what a template includes is known before it runs.",
      "Choose with {{#if (eq a b)}}{{> one}}{{else}}{{> other}}{{/if}}.",
    );
    return "";
  }
  if (name.type === "PathExpression" && name.data) {
    const hint = "Write {{> key}}, and give what varies by name: {{> key name=value}}.";
    report(reader, "partial_block", position, `\`${name.original}\` is no partial.`, hint);
    return "";
  }
  const written = reader.locator.source.slice(name.loc.start.column, name.loc.end.column);
  const bracketed = /^\[(.*)\]$/s.exec(written)?.[1];
  const key = parseKey(name.type === "StringLiteral" ? name.value : (bracketed ?? written));
  if (key.ok) return key.value;
  report(reader, "bad_partial_key", position, key.problem.message, "For example {{> support/triage}}.");
  return "";
}

function readFields(reader: Reader, scope: Scope, hash: StockHash | undefined): readonly NamedArgument[] {
  const seen = new Set<string>();
  return (hash?.pairs ?? []).map((pair) => {
    const { start } = pair.loc;
    const written = /\[(?:\\\]|[^\]])*\]|[^\s=]*/y;
    written.lastIndex = start.column;
    const length = written.exec(reader.locator.source)?.[0].length ?? 0;
    const namePosition = reader.locator.at(start.column, start.column + length);
    if (isPrototypeName(pair.key)) {
      report(
        reader,
        "prototype_name",
        namePosition,
        `\`${pair.key}\` belongs to JavaScript's prototypes and is no field.`,
      );
    }
    if (seen.has(pair.key)) {
      report(reader, "partial_arguments", namePosition, `\`${pair.key}\` is given twice.`, "Keep one.");
    }
    seen.add(pair.key);
    return {
      name: pair.key,
      namePosition,
      value: readExpression(reader, scope, pair.value),
      position: positionOf(reader, pair),
    };
  });
}
