import { parseContract } from "@incipit/schema";
import { expect, it } from "vitest";
import { writeContractReference } from "./contract-reference.ts";
import { HELPERS } from "./helper-table.ts";

const text = (description: string, rest: object = {}) => ({ type: "string", description, ...rest });
const document = {
  description: "What triage is told.",
  type: "object",
  required: ["user", "lang"],
  properties: {
    user: {
      description: "Who | asks.",
      type: "object",
      required: ["name"],
      properties: { name: text("The name."), nick: text("For friends.") },
    },
    lang: { description: "The language.", enum: ["en", "de"] },
    turn: text("The turn.", { "x-per-call": true, default: "first" }),
    policy: text("Rules.", { "x-warn-unused": "policy_unused" }),
    tasks: { description: "To do.", type: "array", items: { $ref: "#/$defs/Task" } },
  },
  $defs: {
    Task: {
      type: "object",
      required: ["title"],
      properties: { title: text("Its title."), parent: { description: "Above.", $ref: "#/$defs/Task" } },
    },
  },
};

function reference(of: unknown): string {
  const contract = parseContract("triage", of);
  if (!contract.ok) throw new Error(contract.problem.message);
  return writeContractReference(contract.value, 3);
}

it("lists every field with its type, when it is empty, what it holds and an example", () => {
  const lines = reference(document).split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "# triage, version 3",
    "",
    "What triage is told.",
    "",
    expect.stringContaining("must stand behind a guard"),
  ]);
  for (const line of [
    "| `user` | object | never | Who \\| asks. | `{{#with user}}…{{/with}}` |",
    '| `user.name` | string | may be "" | The name. | `{{user.name}}` |',
    '| `user.nick` | string | may be absent, may be "" | For friends. | `{{#if user.nick}}{{user.nick}}{{/if}}` |',
    '| `lang` | `"en"` or `"de"` | never | The language. | `{{lang}}` |',
    '| `turn` | string | default `"first"`, may be "" | The turn. Another value with every call: read it after `{{cacheBreakpoint}}`. | `{{turn}}` |',
    "| `tasks` | list of Task | may be absent, may be empty | To do. | `{{#each tasks}}…{{/each}}` |",
    "## Task",
    "| `parent` | Task | may be absent | Above. | `{{#with parent}}…{{/with}}` |",
  ])
    expect(lines).toContain(line);
});

it("tells the helpers, the limits, and that arguments are read before a helper runs", () => {
  const markdown = reference(document);
  for (const [name, { usage }] of Object.entries(HELPERS))
    expect(markdown).toContain(`| \`${name}\` | \`${usage}\` |`);
  expect(markdown).toContain("all read before it runs");
  expect(markdown).toContain("200,000 steps");
});

it("gives each variant a table", () => {
  const variant = (title: string, name: string) => ({
    type: "object",
    title,
    properties: { [name]: text("d") },
  });
  const markdown = reference({ anyOf: [variant("A run", "task"), variant("A talk", "talk")] });
  expect(markdown).toContain("## Variant: A run\n");
  expect(markdown).toContain("## Variant: A talk\n");
});

const object = (properties: object, rest: object = {}) => ({
  type: "object",
  description: "d",
  properties,
  ...rest,
});
const list = (items: object) => ({ type: "array", description: "d", items });
const constant = (value: string) => ({ const: value, description: "d" });

it("stays one table whatever texts stand in it, and ends in bounded time", () => {
  const odd = object({ kind: constant("a|b`"), x: text("A\n| b.") }, { title: "A", required: ["kind"] });
  const other = object({ kind: constant('c"'), x: list(text("d")) }, { title: "B", required: ["kind"] });
  const lines = reference({ anyOf: [odd, other] }).split("\n");
  const cells = lines.filter((line) => /^\| `(?:kind|x)`/.test(line)).map((line) => line.split(/(?<!\\)\|/));
  expect(cells.map(({ length }) => length)).toEqual([7, 7, 7, 7]);

  const many = Array.from({ length: 100 }, (_, i) =>
    object(
      { kind: constant(`k${i}`), x: object({ [`f${i}`]: text("d") }) },
      { title: `V${i}`, required: ["kind"] },
    ),
  );
  const started = performance.now();
  expect(reference({ anyOf: many })).toContain(
    '`{{#if (eq kind "k99")}}{{#if x}}{{#if x.f99}}{{x.f99}}{{/if}}{{/if}}{{/if}}`',
  );
  expect(performance.now() - started).toBeLessThan(5_000);
});
