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
