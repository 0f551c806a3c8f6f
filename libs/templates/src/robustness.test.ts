import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS, type Syntax, utf8Length } from "@incipit/schema";
import { formatFinding } from "./format-finding.ts";
import { linkTemplate } from "./link-template.ts";
import { listVariables } from "./list-variables.ts";
import { parseTemplate } from "./parse-template.ts";
import { render } from "./render.ts";

const TOKENS = [
  "{{", "}}", "{{{", "}}}", "{{{{", "}}}}", "{{{{/raw}}}}", "{{#if ", "{{/if}}", "{{#each ", "{{/each}}", "{{#with ", "{{/with}}", "{{#unless ",
  "{{else}}", "{{else if ", "{{^}}", "{{^if ", "{{!--", "--}}", "{{! ", "{{> p", "{{> p x=y}}", "{{#> ", "{{#*inline ", "{{* ", "~", "(", ")", " as |x y|", "|",
  " ", "\n", "\r\n", "\\", "\\{{", "\"", "'", "[", "]", "a", "b", "xs", "this", ".", "..", "../", "/", "@index", "@root", "@", "=", "eq ", "json ", "lookup ",
  "default ", "length", "1", "-1.5", "true", "null", "undefined", "😀", "\u2028", "é", "cacheBreakpoint", "constructor", "{a}", "\\{a}", "\0",
]; // prettier-ignore

const whole = fc.constantFrom(
  "{{a}}", "{{#if a}}", "{{/if}}", "{{#each xs}}", "{{/each}}", "{{this}}", "{{else}}", "{{@index}}", "{{../a}}", "{{#with r}}", "{{/with}}", "{{b}}",
  "{{json r}}", "{{length xs}}", "{{#each r as |v k|}}", "{{v}}{{k}}", "{{join xs}}", "{{default n 1}}", "{{> p}}", "{{> p a=1}}", "{{#if (eq a b)}}", "t\n", "{{cacheBreakpoint}}",
); // prettier-ignore
const soup = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...TOKENS) }, whole), { maxLength: 40 })
  .map((parts) => parts.join(""));
const body = fc.oneof(
  soup,
  fc.array(whole, { maxLength: 12 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
);
const syntax = fc.constantFrom<Syntax>("handlebars", "handlebars", "slots", "plain");
const context = fc.dictionary(
  fc.constantFrom("a", "b", "xs", "r", "n", "x", "y"),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 7 },
);

describe("on anything at all", () => {
  it("parsing gives a value, and each finding a place in the body", () => {
    fc.assert(
      fc.property(body, syntax, (text, as) => {
        const parsed = parseTemplate(text, as);
        if (parsed.ok) {
          listVariables(parsed.value);
          return;
        }
        expect(parsed.problem.code).toBe("check_failed");
        const lines = text.split(/\r\n|\r|\n/);
        for (const finding of parsed.problem.findings ?? []) {
          expect(finding.column).toBeLessThanOrEqual((lines[finding.line - 1]?.length ?? -1) + 1);
          expect(finding.endLine).toBeGreaterThanOrEqual(finding.line);
          if (finding.endLine === finding.line)
            expect(finding.endColumn).toBeGreaterThanOrEqual(finding.column);
          formatFinding(text, finding);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("rendering gives a value", () => {
    const partial = parseTemplate("[{{a}}{{#each xs}}{{this}}{{/each}}]", "handlebars");
    if (!partial.ok) throw new Error(partial.problem.message);
    fc.assert(
      fc.property(body, syntax, context, (text, as, data) => {
        const parsed = parseTemplate(text, as);
        if (!parsed.ok) return;
        const linked = linkTemplate("root", parsed.value, (key) =>
          key === "p" ? { key, version: 1, parsed: partial.value } : undefined,
        );
        if (!linked.ok) return;
        const first = render(linked.value, data);
        expect(render(linked.value, data)).toEqual(first);
        if (!first.ok)
          expect(["field_missing", "slot_missing", "render_failed"]).toContain(first.problem.code);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("limits", () => {
  const go = (text: string, data: Record<string, unknown>, partials: Record<string, string> = {}) => {
    const parsed = parseTemplate(text, "handlebars");
    if (!parsed.ok) return parsed;
    const linked = linkTemplate("root", parsed.value, (key) => {
      const found = parseTemplate(partials[key] ?? "", "handlebars");
      if (!found.ok) throw new Error(found.problem.message);
      return { key, version: 1, parsed: found.value };
    });
    return linked.ok ? render(linked.value, data) : linked;
  };
  const refusal = (
    text: string,
    data: Record<string, unknown> = {},
    partials: Record<string, string> = {},
  ) => {
    const result = go(text, data, partials);
    return result.ok ? { code: "none" } : result.problem;
  };
  const nest = (open: string, inner: string, close: string, times: number): string =>
    open.repeat(times) + inner + close.repeat(times);
  const ten = Array.from({ length: 10 }, (_, i) => i);

  it("a body over the size limit is too large", () => {
    expect(refusal("x".repeat(LIMITS.bodyBytes + 1))).toMatchObject({ code: "too_large", status: 413 });
    expect(refusal("é".repeat(LIMITS.bodyBytes / 2 + 1))).toMatchObject({ code: "too_large" });
    expect(go("é".repeat(LIMITS.bodyBytes / 2), {}).ok).toBe(true);
  });

  it.each([
    ["12 KB of parentheses", `{{a ${nest("(", "a", ")", 6_000)}}}`, 4 + LIMITS.nesting + 1],
    ["12 KB of parentheses that never close", `{{a ${"(".repeat(12_000)}`, 4 + LIMITS.nesting + 1],
    ["64 KB of blocks", nest("{{#if a}}", "", "{{/if}}", 4_096), 9 * LIMITS.nesting + 1],
    ["64 KB of inverse blocks", nest("{{^if a}}", "", "{{/if}}", 4_096), 9 * LIMITS.nesting + 1],
    [
      "a chain of else-ifs",
      `{{#if a}}${"{{else if b}}".repeat(9_000)}{{/if}}`,
      9 + 13 * (LIMITS.nesting - 1) + 1,
    ],
  ])("%s are refused before the parser sees them", (_, text, column) => {
    expect(refusal(text)).toMatchObject({
      code: "limit_exceeded",
      line: 1,
      column,
      message: expect.stringContaining('"nesting"'),
    });
  });

  it("nesting up to the limit is fine", () => {
    expect(go(nest("{{#if a}}", "x", "{{/if}}", LIMITS.nesting), { a: 1 })).toMatchObject({
      value: { text: "x" },
    });
    expect(go(`{{not ${nest("(not ", "a", ")", LIMITS.nesting)}}}`, { a: 1 })).toMatchObject({
      value: { text: "false" },
    });
  });

  it.each([
    "\\{{#if a}} ",
    "{{! {{#if a}}",
    "{{!-- {{#if a}} ((( }} --}}",
    "{{upper '((('}}",
    '{{upper "{{#if a}}"}}',
    "{{[(((]}}",
    "( ",
    "{{#if a}}{{/if}}",
    "\\\\{{a}}",
  ])("nesting is not counted where there is none: %s", (piece) => {
    expect(refusal(piece.repeat(100), { a: "", "(((": "" })).toEqual({ code: "none" });
  });

  it("a loop seven deep over ten items stops", () => {
    const result = refusal(nest("{{#each @root.xs}}", "a", "{{/each}}", 7), { xs: ten });
    expect(result).toMatchObject({
      code: "limit_exceeded",
      line: 1,
      message: expect.stringContaining('"steps"'),
    });
  });

  it("an empty loop, many arguments and large texts cost steps", () => {
    const large = {
      xs: Array.from({ length: 2_000 }, () => 0),
      s: "x".repeat(400_000),
      t: `${"x".repeat(399_999)}y`,
      ten,
    };
    const loop = (inner: string): string => `{{#each xs}}{{#each @root.ten}}${inner}{{/each}}{{/each}}`;
    for (const inner of [
      "{{#each @root.xs}}{{/each}}",
      `{{#if (and ${"1 ".repeat(50)})}}{{/if}}`,
      "{{#if (eq (upper @root.s) 1)}}{{/if}}",
      "{{#if (eq @root.s @root.t)}}{{/if}}",
      "{{#if (length (json @root))}}{{/if}}",
      "{{#if (join @root.xs)}}{{/if}}",
    ]) {
      expect({ inner, ...refusal(loop(inner), large) }).toMatchObject({ code: "limit_exceeded" });
    }
  });

  it.each([
    ["printing", "{{#each xs}}{{@root.s}}{{/each}}"],
    ["text", `{{#each xs}}${"y".repeat(200_000)}{{/each}}`],
    ["join", "{{#if (join xs s)}}{{/if}}"],
    ["indent", "{{#if (indent lines 64)}}{{/if}}"],
    ["json", "{{#if (json lines 10)}}{{/if}}{{json deep 10}}"],
    ["bytes beyond units", "{{#each three}}{{@root.wide}}{{/each}}"],
  ])("too long a text stops: %s", (_, text) => {
    const deep = Array.from({ length: 90 }).reduce<unknown>(
      (inner) => [inner],
      Array.from({ length: 2_000 }, () => 1),
    );
    const data = {
      xs: ten,
      s: "x".repeat(100_000),
      lines: "x\n".repeat(20_000),
      deep,
      three: [1, 2, 3],
      wide: "é".repeat(200_000),
    };
    expect(refusal(text, data)).toMatchObject({
      code: "limit_exceeded",
      message: expect.stringContaining('"outputBytes"'),
    });
  });

  it("a text just within the limit is given", () => {
    const result = go("{{s}}", { s: "é".repeat(LIMITS.outputBytes / 2) });
    expect(result.ok && utf8Length(result.value.text)).toBe(LIMITS.outputBytes);
  });

  it("includes may go as deep as the limit, each nested as deep as the limit, and no deeper", () => {
    const chain = (depth: number): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: depth }, (_, i) => [
          `p${i}`,
          i === depth - 1 ? "{{a}}" : nest("{{#if a}}", `{{> p${i + 1}}}`, "{{/if}}", LIMITS.nesting),
        ]),
      );
    expect(go("{{> p0}}", { a: "end" }, chain(LIMITS.includeDepth))).toMatchObject({
      value: { text: "end" },
    });
    expect(refusal("{{> p0}}", { a: 1 }, chain(LIMITS.includeDepth + 1))).toMatchObject({
      code: "limit_exceeded",
      message: expect.stringContaining('"includeDepth"'),
    });
  });

  it("includes that fan out stop", () => {
    const fan = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`p${i}`, i === 19 ? "x" : `{{> p${i + 1}}}{{> p${i + 1}}}`]),
    );
    expect(refusal("{{> p0}}", {}, fan)).toMatchObject({ code: "limit_exceeded" });
  });
});

it("no body or value makes a refusal that a message of the bus cannot carry", () => {
  const size = (body: string, data: Record<string, unknown> = {}): number => {
    const parsed = parseTemplate(body, "handlebars");
    const linked = parsed.ok ? linkTemplate("root", parsed.value, () => undefined) : parsed;
    return JSON.stringify(linked.ok ? render(linked.value, data) : linked).length;
  };
  const long = "n".repeat(200_000);
  expect(size("{{x y}}".repeat(16_000))).toBeLessThan(300_000);
  for (const body of [
    `{{${long}}}`,
    `{{${long} x}}`,
    `{{#${long}}}{{/${long}}}`,
    `{{a${".b".repeat(49_000)}}}`,
    `{{"${long}"}}`,
    `{{${long}`,
    `{{> ${long}}}`,
    `{{@${long}}}`,
  ]) {
    expect(size(body)).toBeLessThan(5_000);
  }
  expect(size("{{lookup a k}}", { a: {}, k: long })).toBeLessThan(5_000);
  expect(size("{{a}}", { a: { [long]: 1 } })).toBeLessThan(5_000);
});

it("the cache breakpoint is the place in the text", () => {
  const parsed = parseTemplate("😀{{a}}{{cacheBreakpoint}}b", "handlebars");
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const linked = linkTemplate("root", parsed.value, () => undefined);
  if (!linked.ok) throw new Error(linked.problem.message);
  expect(parsed.value.hasCacheBreakpoint && linked.value.hasCacheBreakpoint).toBe(true);
  expect(render(linked.value, { a: "xy" })).toEqual({ ok: true, value: { text: "😀xyb", breakpoint: 4 } });
});
