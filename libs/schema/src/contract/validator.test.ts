import { describe, expect, it } from "vitest";
import type { JsonObject } from "../template.ts";
import { mayBeAbsent } from "./absent.ts";
import { parseContract } from "./parse-contract.ts";
import type { Reads } from "./reads.ts";
import { createValidator } from "./validator.ts";

const field = (type: object) => ({ description: "d", ...type });
const text = field({ type: "string" });

function validator(document: unknown, reads?: Reads) {
  const contract = parseContract("c", document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return createValidator(contract.value, reads);
}

const one = {
  type: "object",
  required: ["user", "tags"],
  properties: {
    user: field({
      type: "object",
      required: ["name"],
      properties: {
        name: text,
        age: field({ type: "integer" }),
        nick: field({ anyOf: [{ type: "string" }, { type: "null" }] }),
      },
    }),
    tags: field({ type: "array", items: { type: "string" }, minItems: 1 }),
    lang: field({ enum: ["en", "de"], default: "en" }),
    extra: field({ type: "object", additionalProperties: { type: "number" } }),
  },
};
const good: JsonObject = { user: { name: "Ada" }, tags: ["x"] };

describe("a context", () => {
  it("is given its defaults and loses what the contract does not list", () => {
    const result = validator(one)({ ...good, env: { secret: 1 }, user: { name: "Ada", token: "t" } });
    expect(result).toEqual({ ok: true, value: { user: { name: "Ada" }, tags: ["x"], lang: "en" } });
  });

  it("may be empty where everything has a default", () => {
    const document = { type: "object", properties: { a: field({ type: "string", default: "x" }) } };
    expect(validator(document)({})).toEqual({ ok: true, value: { a: "x" } });
  });

  it("takes no value from an example", () => {
    const document = { type: "object", properties: { a: { ...text, examples: ["x"] } } };
    expect(parseContract("c", document)).toMatchObject({ ok: false, problem: { path: "a" } });
  });

  it("may have null for what may be left out", () => {
    expect(
      validator(one)({ ...good, lang: null, extra: null, user: { name: "Ada", age: null, nick: null } }),
    ).toEqual({
      ok: true,
      value: { user: { name: "Ada", nick: null }, tags: ["x"], lang: "en" },
    });
  });

  it("is refused with every fault and its path", () => {
    const result = validator(one)({ user: { age: 1.5 }, tags: [], lang: "fr", extra: { a: "x" } });
    if (result.ok) expect.fail("it was accepted");
    expect(result.problem).toMatchObject({ code: "bad_context", path: "user.name" });
    for (const fault of [
      /user\.name: is missing/,
      /user\.age: must be a whole number/,
      /tags: must not be empty/,
      /lang: must be/,
      /extra\.a: must be a number/,
    ])
      expect(result.problem.message).toMatch(fault);
  });

  it("keeps names of records that mean something to JavaScript", () => {
    const extra = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as JsonObject;
    const result = validator(one)({ ...good, extra });
    expect(JSON.stringify(result.ok && result.value)).toContain(
      '"extra":{"__proto__":1,"constructor":2,"toString":3}',
    );
  });

  it("knows what of it may be absent", () => {
    const result = validator(one)({ ...good, extra: {} });
    if (!result.ok) expect.fail(result.problem.message);
    const { user, extra, tags } = result.value;
    expect(mayBeAbsent(user, "age")).toBe(true);
    expect(mayBeAbsent(user, "aeg")).toBe(false);
    expect(mayBeAbsent(user, "toString")).toBe(false);
    expect(mayBeAbsent(extra, "whatever")).toBe(true);
    expect(mayBeAbsent(tags, 7)).toBe(true);
    expect(mayBeAbsent(tags, "lenght")).toBe(false);
    expect(mayBeAbsent({}, "age")).toBe(false);
  });

  it("is looked at only as far as it is read", () => {
    const reads: Reads = {
      all: false,
      items: null,
      fields: new Map([["tags", { all: false, items: null, fields: new Map() }]]),
    };
    expect(validator(one, reads)({ tags: [1, 2], user: 3 })).toEqual({
      ok: true,
      value: { tags: [null, null] },
    });
    expect(validator(one, reads)({}).ok).toBe(false);
  });
});

describe("a union", () => {
  const variant = (title: string, name: string, rest: object = {}) => ({
    type: "object",
    title,
    required: [name, "id"],
    properties: {
      [name]: field({ type: "object", required: ["title"], properties: { title: text } }),
      id: text,
      ...rest,
    },
  });
  const document = {
    anyOf: [
      variant("Task", "task"),
      variant("Talk", "talk", { mood: field({ type: "string", default: "calm" }) }),
    ],
  };

  it("is the member that fits", () => {
    expect(validator(document)({ id: "1", talk: { title: "t" } })).toEqual({
      ok: true,
      value: { id: "1", talk: { title: "t" }, mood: "calm" },
    });
  });

  it("is never one that lacks what was given: the faults of the nearest are told", () => {
    const result = validator(document)({ id: "1", task: { titel: "t" } });
    expect(result).toMatchObject({ ok: false, problem: { path: "task.title" } });
    expect(!result.ok && result.problem.message).toMatch(/as "Task"/);
    expect(validator(document)({ id: "1", task: { title: "t" }, talk: { title: "u" } }).ok).toBe(false);
  });

  it("of several that do not fit is the one that the value looks most like, however much is wrong in it", () => {
    const result = validator(document)({ id: 1, task: { titel: "t" }, mood: 2 });
    expect(result).toMatchObject({ ok: false, problem: { path: "task.title" } });
    expect(!result.ok && result.problem.message).not.toMatch(/as "Talk"/);
    const kinds = {
      type: "object",
      required: ["o"],
      properties: {
        o: field({
          anyOf: ["a", "b"].map((kind) => ({
            type: "object",
            title: kind,
            required: ["kind", kind],
            properties: { kind: field({ const: kind }), [kind]: text, x: text },
          })),
        }),
      },
    };
    expect(validator(kinds)({ o: { kind: "a", b: "given", x: "y" } })).toMatchObject({
      ok: false,
      problem: { path: "o.a" },
    });
  });

  it("is told apart by what is not read, too", () => {
    const leaf: Reads = { all: false, items: null, fields: new Map() };
    const reads: Reads = {
      all: false,
      items: null,
      fields: new Map([
        ["id", leaf],
        ["mood", leaf],
      ]),
    };
    expect(validator(document, reads)({ id: "1", talk: { title: "u" } })).toEqual({
      ok: true,
      value: { id: "1", mood: "calm" },
    });
    expect(validator(document, reads)({ id: "1", task: { title: "u" } })).toEqual({
      ok: true,
      value: { id: "1" },
    });
  });

  it("of scalars and lists says what it takes", () => {
    const result = validator({
      type: "object",
      required: ["a"],
      properties: { a: field({ anyOf: [{ type: "string" }, { type: "array", items: { type: "number" } }] }) },
    })({ a: true });
    expect(!result.ok && result.problem.message).toMatch(/a: must be a string or a list, and is a boolean/);
  });
});

it("recursion is followed as deep as the context goes", () => {
  const document = {
    type: "object",
    properties: { node: field({ $ref: "#/$defs/Node" }) },
    $defs: {
      Node: {
        type: "object",
        required: ["name"],
        properties: { name: text, next: field({ $ref: "#/$defs/Node" }) },
      },
    },
  };
  const deep = (depth: number): JsonObject =>
    depth === 0 ? { name: 1 } : { name: "x", next: deep(depth - 1) };
  expect(validator(document)({ node: deep(50) })).toMatchObject({
    ok: false,
    problem: { path: `node${".next".repeat(50)}.name`.slice(0, 200) },
  });
});
