import { createValidator } from "@incipit/schema";
import Handlebars from "handlebars";
import { expect, it } from "vitest";
import { pairOf } from "../../testing/fuzz.ts";
import { createRandom } from "../../testing/random.ts";
import { CONTEXT_STYLES, randomContext } from "../../testing/random-context.ts";
import { render } from "../render.ts";
import { isTruthy } from "../truthiness.ts";

const HELPERS: Record<string, Handlebars.HelperDelegate> = {
  eq: (a: unknown, b: unknown) => (a ?? null) === (b ?? null),
  ne: (a: unknown, b: unknown) => (a ?? null) !== (b ?? null),
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  and: (...args: unknown[]) => args.slice(0, -1).every((arg) => isTruthy(arg)),
  or: (...args: unknown[]) => args.slice(0, -1).some((arg) => isTruthy(arg)),
  not: (a: unknown) => !isTruthy(a),
  length: (a: object | string) =>
    typeof a === "string" || Array.isArray(a) ? a.length : Object.keys(a).length,
  join: (a: unknown[], separator: unknown) =>
    a.map(String).join(typeof separator === "string" ? separator : ", "),
  json: (a: unknown, width: unknown) =>
    JSON.stringify(a ?? null, null, typeof width === "number" ? width : 0),
  default: (a: unknown, b: unknown) => a ?? b,
  upper: (a: string) => a.toUpperCase(),
  lower: (a: string) => a.toLowerCase(),
  trim: (a: string) => a.trim(),
  indent: (a: string, width: number) => a.replaceAll(/^(?=[^\n]*\S)/gm, " ".repeat(width)),
};

// Where the two differ on purpose (docs/reference/handlebars-differences.md): steps out of a scope, which stock takes or
// not by the data, and printed numbers that stand side by side, which it adds.
const DIFFERS = /\.\.\/|\}\}\}?\{\{(?![#/~!]|else)/;

it("stock Handlebars gives the same text of what the checker accepts", () => {
  let compared = 0;
  for (let seed = 1; seed <= 6_000; seed++) {
    const random = createRandom(seed);
    // Not those of all of the language: nearly each is one of the differences.
    const pair = pairOf(random, { witnesses: false, whole: 0 });
    if (pair === null || pair.report.findings.length > 0) continue;
    const { contract, linked, template } = pair;
    if (DIFFERS.test([template.body, ...template.partials.values()].join("\n"))) continue;
    const stock = Handlebars.create();
    for (const [name, run] of Object.entries(HELPERS)) stock.registerHelper(name, run);
    const options = { noEscape: true, preventIndent: true };
    for (const [key, body] of template.partials) stock.registerPartial(key, stock.compile(body, options));
    const compiled = stock.compile(template.body, options);
    const validate = createValidator(contract);
    for (const style of CONTEXT_STYLES) {
      const context = validate(randomContext(random, contract, style));
      if (!context.ok) throw new Error(context.problem.message);
      const ours = render(linked, context.value);
      if (!ours.ok) continue;
      compared++;
      expect(`${seed} ${ours.value.text}`, template.body).toBe(`${seed} ${compiled(context.value)}`);
    }
  }
  expect(compared).toBeGreaterThan(500);
}, 60_000);
