import fc from "fast-check";
import { expect, it } from "vitest";
import { scanNesting } from "./nesting-scan.ts";
import type { StockExpression, StockProgram, StockStatement } from "./stock-ast.ts";
import { parseStock } from "./stock-parser.ts";

const deepest = (depths: readonly number[]): number => Math.max(0, ...depths);

function depthOfExpression(expression: StockExpression): number {
  return expression.type === "SubExpression" ? 1 + depthOfArguments(expression) : 0;
}

function depthOfArguments({
  params,
  hash,
}:
  | Extract<StockStatement, { type: "PartialStatement" }>
  | Extract<StockExpression, { type: "SubExpression" }>): number {
  return deepest([...params, ...(hash?.pairs ?? []).map(({ value }) => value)].map(depthOfExpression));
}

function depthOf(program: StockProgram | undefined): number {
  return deepest(
    (program?.body ?? []).map((statement) => {
      switch (statement.type) {
        case "BlockStatement":
        case "DecoratorBlock":
          return 1 + deepest([depthOf(statement.program), depthOf(statement.inverse)]);
        case "PartialBlockStatement":
          return 1 + depthOf(statement.program);
        case "MustacheStatement":
        case "Decorator":
        case "PartialStatement":
          return deepest(
            [...statement.params, ...(statement.hash?.pairs ?? []).map(({ value }) => value)].map(
              depthOfExpression,
            ),
          );
        default:
          return 0;
      }
    }),
  );
}

const TOKENS = [
  "{{#if a}}", "{{#if (b a)}}", "{{/if}}", "{{else}}", "{{else if a}}", "{{^}}", "{{^if a}}", "{{#> if}}", "{{#*if a}}", "{{~#if a~}}", "{{ else }}", "{{~else if a}}", "{{{a}}}",
  "\\", "\\\\", "\\{{", "{{!", "{{!--", "--}}", "--~}}", "}}", "{{", "{{a ", "(a ", "(", ")", "((a))", "\"", "'", "\"{{#if a}}\"", "'(('", "\\\"", "[", "]", "[((]", " ", "a", "=", "{{a x=(a (a b))}}", "{", "}",
]; // prettier-ignore

it("what the parser nests is never deeper than what the scan counts", () => {
  let nested = 0;
  const tokens = fc.array(fc.constantFrom(...TOKENS), { maxLength: 14 }).map((parts) => parts.join(""));
  // A body whose blocks are closed, so that the parser accepts more of them.
  const closed = tokens.map((text) => `{{#if a}}${text}{{/if}}`);
  fc.assert(
    fc.property(fc.oneof(tokens, closed), (text) => {
      const parsed = parseStock(text);
      if (!parsed.ok || scanNesting(text).rawBlockAt !== null) return;
      const depth = depthOf(parsed.program);
      if (depth === 0) return;
      nested++;
      expect(scanNesting(text, depth - 1).tooDeepAt).not.toBeNull();
    }),
    { numRuns: 10_000 },
  );
  expect(nested).toBeGreaterThan(500);
});
