import { parseContract } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { linkTemplate } from "../link-template.ts";
import { parseTemplate } from "../parse-template.ts";
import { checkTemplate } from "./check-template.ts";

const text = { type: "string", description: "d" };

function check(document: unknown, body: string, partials: Record<string, string> = {}) {
  const contract = parseContract("c", document);
  if (!contract.ok) throw new Error(contract.problem.message);
  const parsed = parseTemplate(body, "handlebars");
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const linked = linkTemplate("t", parsed.value, (key) => {
    const partial = parseTemplate(partials[key] ?? "", "handlebars");
    return partial.ok ? { key, version: 1, parsed: partial.value } : undefined;
  });
  if (!linked.ok) throw new Error(linked.problem.message);
  return checkTemplate(linked.value, contract.value);
}

const object = (properties: Record<string, object>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});
const names = Array.from({ length: 2_000 }, (_, i) => `f${i}`);
const wide = object(Object.fromEntries(names.map((name) => [name, text])));

// Each of these once took minutes, or could: the work is counted, so that all end within the time of a test.
describe("a check ends, whatever it is given", () => {
  it("many conditions on a value with many constants", () => {
    const values = Array.from({ length: 500 }, (_, i) => `v${i}`);
    const document = object({ x: { enum: values, description: "d" } }, ["x"]);
    const { findings } = check(document, '{{#if (eq x "v1")}}{{x}}{{/if}}\n'.repeat(5_000));
    expect(findings).toEqual([]);
  });

  it("a condition over thousands of fields", () => {
    const { findings } = check(wide, `{{#if (and ${names.join(" ")})}}{{f0}}{{/if}}`);
    expect(findings).toMatchObject([{ code: "check_too_long" }]);
  });

  it("alternatives inside of alternatives", () => {
    const body = "{{#if (or f0 f1 f2 f3)}}{{#if (or (and f4 f5) (and f6 f7))}}{{#unless (and f8 f9)}}".repeat(
      20,
    );
    const close = "{{/unless}}{{/if}}{{/if}}".repeat(20);
    expect(check(wide, `${body}x${close}`).findings).toEqual([]);
  });

  it("partials that include each other twice, each behind a guard of its own", () => {
    const partials = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `p${i}`,
        `{{#if f${i}}}{{> p${i + 1}}}{{/if}}{{#unless f${i}}}{{> p${i + 1}}}{{/unless}}`,
      ]),
    );
    const { findings, reads } = check(wide, "{{> p0}}", { ...partials, p30: "{{#if f40}}{{f40}}{{/if}}" });
    expect(findings).toMatchObject([{ code: "check_too_long" }]);
    expect(reads.all).toBe(true);
  });

  it("thousands of faults", () => {
    const { findings } = check(wide, "{{nope}} {{f1}}\n".repeat(10_000));
    expect(findings.length).toBeGreaterThan(100);
    expect(findings.length).toBeLessThan(300);
  });

  it("a fault that only a long search could reach", () => {
    const guards = names
      .slice(0, 60)
      .map((name) => `{{#if (eq ${name} "${name}")}}`)
      .join("");
    const body = `${guards}{{#if (gt (length f100) 37)}}{{#if (lt f100 "b")}}{{f101}}{{/if}}{{/if}}${"{{/if}}".repeat(60)}`;
    expect(check(wide, body).findings).toMatchObject([
      { code: "argument_type" },
      { code: "argument_type" },
      { code: "null_printed" },
    ]);
  });

  it("a path longer than any context is deep", () => {
    const record = { $ref: "#/$defs/r", description: "d" };
    const document = {
      ...object({ r: record }),
      $defs: { r: { type: "object", additionalProperties: { $ref: "#/$defs/r" } } },
    };
    const path = `r${".a".repeat(20_000)}`;
    const codes = new Set(check(document, `{{#if ${path}}}x{{/if}}`).findings.map(({ code }) => code));
    expect([...codes]).toEqual(["read_through_null"]);
  });

  it("blocks that nest through partials beyond any context", () => {
    const record = { $ref: "#/$defs/r", description: "d" };
    const document = {
      ...object({ r: record }),
      $defs: { r: { type: "object", additionalProperties: { $ref: "#/$defs/r" } } },
    };
    const nested = (blocks: number) =>
      Object.fromEntries(
        Array.from({ length: 31 }, (_, i) => [
          `p${i}`,
          i === 30 ? "x" : `${"{{#with a}}".repeat(blocks)}{{> p${i + 1}}}${"{{/with}}".repeat(blocks)}`,
        ]),
      );
    const body = "{{#with r}}{{> p0}}{{/with}}";
    expect(check(document, body, nested(10)).findings).toEqual([]);
    expect(check(document, body, nested(60)).findings).toMatchObject([{ code: "check_too_long" }]);
  });

  it("a value as deep as a context, below as many arguments as includes can lay around it", () => {
    const node = { $ref: "#/$defs/node", description: "d" };
    const document = {
      ...object({ node }, ["node"]),
      $defs: { node: object({ a: text, next: node }, ["a"]) },
    };
    const blocks = (count: number, inner: string) =>
      `${"{{#with next}}".repeat(count)}${inner}${"{{/with}}".repeat(count)}`;
    const partials: Record<string, string> = { q: blocks(40, "{{nope}}") };
    for (let i = 0; i < 28; i++) partials[`p${i}`] = `{{> p${i + 1} x=this}}`;
    const path = `${"x.".repeat(27)}node`;
    partials["p28"] =
      `{{#with (default null x)}}{{#with ${path}}}${blocks(50, "{{> q this}}")}{{/with}}{{/with}}`;
    expect(check(document, "{{> p0 x=this}}", partials).findings).toMatchObject([
      { code: "unknown_field", partial: "q" },
    ]);
  });

  it("unions of a hundred objects that each hold the same union", () => {
    const nodes = Array.from({ length: 99 }, (_, i) => ({
      ...object({ [`f${i % 3}`]: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }], description: "d" } }),
    }));
    const document = {
      ...object({ r: { $ref: "#/$defs/node", description: "d" } }),
      $defs: { node: { anyOf: nodes } },
    };
    expect(check(document, "{{r.f0.f1.f2.f0.f1.f2.x}}").findings.length).toBeGreaterThan(5);
    const inner = "{{#with f1}}{{#with f2}}{{json f0}}{{/with}}{{/with}}";
    expect(check(document, `{{#with r}}{{#with f0}}${inner}{{/with}}{{/with}}`).findings).toEqual([]);
  });

  it("conditions on thousands of fields of an inner object", () => {
    const all = names.map((name) => `o.${name}`).join(" ");
    const document = object({ o: { ...wide, description: "d" } }, ["o"]);
    const { findings } = check(
      document,
      `{{#if (or o.f0 o.f1 o.f2 o.f3)}}{{#if (and ${all})}}x{{/if}}{{/if}}`,
    );
    expect(findings).toMatchObject([{ code: "check_too_long" }]);
  });

  it("arguments that hold what is around them, twice in each partial", () => {
    const partials = Object.fromEntries(
      Array.from({ length: 31 }, (_, i) => [
        `p${i}`,
        `{{#each this}}x{{/each}}{{> p${i + 1} a=this b=this}}`,
      ]),
    );
    const { findings } = check(object({ xs: text }), "{{> p0}}", {
      ...partials,
      p31: "{{#if a.a.b}}x{{/if}}",
    });
    expect(findings).toEqual([]);
  });

  it("values looked up by values that were looked up", () => {
    const document = object(
      {
        n: { type: "number", description: "d" },
        xs: { type: "array", items: { type: "number" }, description: "d" },
      },
      ["n", "xs"],
    );
    const open = Array.from(
      { length: 50 },
      (_, i) => `{{#with (lookup @root.xs ${i === 0 ? "n" : `v${i - 1}`}) as |v${i}|}}`,
    );
    expect(check(document, `${open.join("")}{{v49}}${"{{/with}}".repeat(50)}`).findings).toEqual([]);
  });

  it("a name as long as a body", () => {
    const record = { type: "object", additionalProperties: text, description: "d" };
    const long = "a".repeat(100_000);
    const document = object({ r: { type: "object", additionalProperties: record, description: "d" } });
    const { findings } = check(
      document,
      `{{#if r}}{{#with r.${long} as |x|}}${"{{x.b}}".repeat(15_000)}{{/with}}{{/if}}`,
    );
    expect(findings.map(({ code }) => code)).toContain("null_printed");
  });

  it.each([
    [
      "lists that must have items, of lists that must",
      29,
      (inner: object) => ({ type: "array", minItems: 1_000, items: inner }),
    ],
    [
      "objects that hold two of the next",
      25,
      (inner: object) =>
        object({ a: { ...inner, description: "d" }, b: { ...inner, description: "d" } }, ["a", "b"]),
    ],
  ])("a context that is larger than memory: %s", (_, depth, around) => {
    const $defs: Record<string, object> = { d0: { type: "string" } };
    for (let i = 1; i <= depth; i++) $defs[`d${i}`] = around({ $ref: `#/$defs/d${i - 1}` });
    const document = { ...object({ v: { $ref: `#/$defs/d${depth}`, description: "d" } }, ["v"]), $defs };
    expect(check(document, "{{nope}} {{v}}").findings).toMatchObject([
      { code: "unknown_field", witness: null },
      { code: "not_printable", witness: null },
    ]);
  });
});
