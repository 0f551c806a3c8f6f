import { parseContract } from "@incipit/schema";
import { expect, it } from "vitest";
import { checkTemplate } from "./check/check-template.ts";
import { inferContract } from "./infer-contract.ts";
import { linkTemplate } from "./link-template.ts";
import { parseTemplate } from "./parse-template.ts";

function link(body: string, partials: Record<string, string> = {}) {
  const parsed = parseTemplate(body, "handlebars");
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const linked = linkTemplate("t", parsed.value, (key) => {
    const partial = parseTemplate(partials[key] ?? "", "handlebars");
    return partial.ok ? { key, version: 1, parsed: partial.value } : undefined;
  });
  if (!linked.ok) throw new Error(linked.problem.message);
  return linked.value;
}

const type = (description: string, rest: object) => ({
  description: `TODO: say what ${description} holds.`,
  ...rest,
});

it("reads off a template what its context must be", () => {
  const body =
    '{{user.name}}{{#if user.nick}}{{user.nick}}{{/if}}{{#each tasks as |t|}}{{t.title}}{{join t.tags}}{{/each}}{{#if urgent}}!{{/if}}{{#if (gt count 2)}}{{count}}{{/if}}{{#if (eq lang "de")}}{{else if (eq lang "en")}}{{/if}}{{> p item=user.boss}}';
  expect(inferContract(link(body, { p: "{{#with item}}{{name}}{{/with}}{{@root.footer}}" }))).toEqual({
    type: "object",
    required: ["user", "tasks", "urgent", "count", "lang", "footer"],
    properties: {
      user: type("user", {
        type: "object",
        required: ["name"],
        properties: {
          name: type("name", { type: "string" }),
          nick: type("nick", { type: "string" }),
          boss: type("boss", {
            type: "object",
            required: ["name"],
            properties: { name: type("name", { type: "string" }) },
          }),
        },
      }),
      tasks: type("tasks", {
        type: "array",
        items: {
          type: "object",
          required: ["title", "tags"],
          properties: {
            title: type("title", { type: "string" }),
            tags: type("tags", { type: "array", items: { type: "string" } }),
          },
        },
      }),
      urgent: type("urgent", { type: "boolean" }),
      count: type("count", { type: "number" }),
      lang: type("lang", { enum: ["de", "en"] }),
      footer: type("footer", { type: "string" }),
    },
  });
});

it.each([
  "Hello {{name}}, {{#each tasks}}{{title}}{{#if due}}{{due}}{{/if}}{{/each}}",
  "{{#if task}}{{task.title}}{{else}}none{{/if}}",
  '{{default nick "you"}} {{upper name}}',
])("proposes what the template passes with: %s", (body) => {
  const linked = link(body);
  const contract = parseContract("c", inferContract(linked));
  if (!contract.ok) throw new Error(contract.problem.message);
  expect(checkTemplate(linked, contract.value).findings).toEqual([]);
});

/** What of a template is proposed is a contract, whatever it comes to. */
function propose(body: string, partials: Record<string, string> = {}) {
  const linked = link(body, partials);
  const document = inferContract(linked);
  const contract = parseContract("c", document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return { linked, document, contract: contract.value };
}

/** Partials that each include the next; the last is the end. */
const chain = (count: number, of: (next: string) => string, end: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`p${i}`, i === count - 1 ? end : of(`p${i + 1}`)]),
  );

it("partials that include the next one twice are followed once, as deep as includes go", () => {
  const twice = chain(32, (next) => `{{> ${next}}}{{#if a}}{{> ${next}}}{{/if}}`, "{{b}}");
  expect(propose("{{> p0}}", twice).document).toEqual({
    type: "object",
    required: ["a", "b"],
    properties: { a: type("a", { type: "boolean" }), b: type("b", { type: "string" }) },
  });
  const swapped = chain(32, (next) => `{{> ${next} x=y y=x}}{{> ${next} x=x y=y}}`, "{{x}}{{y.z}}");
  expect(propose("{{> p0 x=one y=two}}", swapped).document).toMatchObject({
    properties: {
      one: { properties: { z: { type: "string" } } },
      two: { properties: { z: { type: "string" } } },
    },
  });
  const given = chain(32, (next) => `{{#if c}}{{> ${next} c}}{{> ${next} c}}{{/if}}`, "{{b}}");
  expect(propose("{{> p0}}", given).document).toMatchObject({ properties: { c: { type: "object" } } });
});

it("what partials come to in ever new contexts is proposed up to the limits of a contract", () => {
  const apart = chain(32, (next) => `{{> ${next} a}}{{> ${next} b}}`, "{{end}}");
  expect(JSON.stringify(propose("{{> p0}}", apart).document).length).toBeGreaterThan(100_000);
  const mixed = chain(
    32,
    (next) => `{{> ${next} x=x.a y=y z=z}}{{> ${next} x=y y=z z=x.b}}{{> ${next} x=z y=x.c}}`,
    "{{x}}{{y}}{{z}}",
  );
  propose("{{> p0 x=x y=y z=z}}", mixed);
  const named = "k".repeat(90);
  propose(Array.from({ length: 2_600 }, (_, i) => `{{${named}${i}}}`).join(""));
  propose(`{{#if (eq a "${"c".repeat(200_000)}")}}{{/if}}{{> p b}}{{> p c}}{{> p d}}`, {
    p: Array.from({ length: 600 }, (_, i) => `{{#if (eq a "${"c".repeat(150)}${i}")}}{{/if}}`).join(""),
  });
});

it("long paths, and blocks in partials in partials, are followed as deep as a contract goes", () => {
  propose(
    `{{a${".a".repeat(20_000)}}}{{#if (eq b${".b".repeat(60)} "x")}}{{else if (eq b${".b".repeat(29)} "y")}}{{/if}}`,
  );
  const nest = 60;
  const deep = chain(
    32,
    (next) => `${"{{#with a}}".repeat(nest)}{{> ${next}}}${"{{/with}}".repeat(nest)}`,
    "{{b}}",
  );
  propose("{{> p0}}", deep);
  const guarded = chain(
    32,
    (next) => `${"{{#if a}}".repeat(nest)}{{> ${next}}}${"{{/if}}".repeat(nest)}`,
    "{{b}}",
  );
  expect(propose("{{> p0}}", guarded).document).toMatchObject({
    properties: { a: { type: "boolean" }, b: { type: "string" } },
  });
});
