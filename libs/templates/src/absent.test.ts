import { createValidator, parseContract, type JsonObject, type Syntax } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { linkTemplate } from "./link-template.ts";
import { parseTemplate } from "./parse-template.ts";
import { render } from "./render.ts";

const field = (type: object) => ({ description: "d", ...type });
const text = field({ type: "string" });
const object = (properties: object, required: string[] = []) =>
  field({ type: "object", properties, required });
const user = object({ name: text, nick: text }, ["name"]);
const contract = parseContract("c", {
  anyOf: [
    {
      ...object(
        {
          user,
          tags: field({ type: "array", items: { type: "string" } }),
          env: field({ type: "object", additionalProperties: { type: "string" } }),
        },
        ["user", "tags", "env"],
      ),
      title: "A run",
    },
    { ...object({ talk: text }, ["talk"]), title: "A conversation" },
  ],
});
const context: JsonObject = { user: { name: "Ada" }, tags: ["x"], env: { A: "1" } };

/** The text, or the code of the refusal, under the contract; or, strictly, without one. */
function run(
  body: string,
  options: { partial?: string; syntax?: Syntax; given?: JsonObject; strict?: boolean } = {},
): string {
  const { partial = "", syntax = "handlebars", given = context, strict = false } = options;
  const [root, included] = [parseTemplate(body, syntax), parseTemplate(partial, "handlebars")];
  if (!contract.ok || !root.ok || !included.ok) throw new Error("a body or the contract is wrong");
  const linked = linkTemplate("root", root.value, (key) => ({ key, version: 1, parsed: included.value }));
  const fitting = strict ? ({ ok: true, value: given } as const) : createValidator(contract.value)(given);
  if (!linked.ok || !fitting.ok) throw new Error(JSON.stringify([linked, fitting]));
  const result = render(linked.value, fitting.value);
  return result.ok ? result.value.text : result.problem.code;
}

describe("what a contract lets be absent is read as null", () => {
  it.each([
    ["an optional field", "{{json user.nick}}"],
    ["a field of another variant", "{{json talk}}"],
    ["a name that a record does not have", "{{json env.B}}"],
    ["an item behind the end of a list", "{{json tags.[1]}}"],
    ["an optional field that is looked up", '{{json (lookup user "nick")}}'],
    ["a name that is looked up in a record", '{{json (lookup env "B")}}'],
    ["an item that is looked up in a list", "{{json (lookup tags 1)}}"],
    ["an item before the start of a list", "{{json (lookup tags -1)}}"],
  ])("%s", (_, body) => {
    expect(run(body)).toBe("null");
    expect(run(body, { strict: true })).toBe("field_missing");
  });

  it.each(["{{user.nik}}", "{{talks}}", '{{lookup user "nik"}}', "{{tags.first}}"])(
    "and nothing else: %s",
    (body) => expect(run(body)).toBe("field_missing"),
  );

  it("and not filled in: what is shown whole shows what is there", () => {
    expect(run("{{json user}}{{#each user}}{{@key}}{{/each}}")).toBe('{"name":"Ada"}name');
  });

  it("and cannot be printed, nor read through", () => {
    expect([run("{{user.nick}}"), run("{{talk.x}}")]).toEqual(["render_failed", "field_missing"]);
  });
});

describe("a partial that is given fields by name", () => {
  it("knows of the rest of its context what may be absent", () => {
    expect(run("{{> p user x=1}}", { partial: "{{name}}{{json nick}}{{x}}" })).toBe("Adanull1");
    expect(run("{{> p env x=1}}", { partial: "{{A}}{{json B}}{{x}}" })).toBe("1null1");
    expect(run("{{> p user x=1}}", { partial: "{{nik}}" })).toBe("field_missing");
  });

  it("sees a name laid over one that is absent, and leaves the caller's value as it was", () => {
    expect(run('{{> p user nick="N"}}{{json user.nick}}', { partial: "{{nick}}" })).toBe("Nnull");
  });

  it("keeps a field `__proto__` as the data that it is", () => {
    const given = JSON.parse('{"__proto__":{"b":"2"},"a":1}') as JsonObject;
    const partial = "{{json .}}";
    expect(run("{{> p x=1}}", { partial, given, strict: true })).toBe('{"__proto__":{"b":"2"},"a":1,"x":1}');
    const env = JSON.parse('{"__proto__":"2"}') as JsonObject;
    expect(run("{{> p env x=1}}", { partial, given: { ...context, env } })).toBe('{"__proto__":"2","x":1}');
  });
});

it("a slot has no value where an optional field is absent", () => {
  expect(run("{talk}", { syntax: "slots" })).toBe("slot_missing");
});
