import { describe, expect, it } from "vitest";
import { addPayloadSchema } from "./commands.ts";
import { LIMITS } from "./limits.ts";
import { problem } from "./problem.ts";
import { parseErrorReply } from "./problem-schema.ts";
import { versionsPayloadSchema } from "./queries.ts";
import { renderPayloadSchema } from "./render.ts";
import { parseWith } from "./zod-problem.ts";

describe("a request", () => {
  it("with an unknown field is refused by the field's name", () => {
    const parsed = parseWith(addPayloadSchema, { body: "x", lable: "staging" }, "The payload of add");
    expect(parsed).toMatchObject({ ok: false, problem: { code: "bad_request" } });
    expect(parsed.ok ? "" : parsed.problem.message).toContain("lable");
  });

  it.each(['{"__proto__":1}', '{"a":[{"__proto__":{"b":1}}]}'])(
    "with the config %s is refused: the field __proto__ would be lost",
    (json) => {
      const config: unknown = JSON.parse(json);
      const parsed = parseWith(addPayloadSchema, { body: "x", config }, "The payload of add");
      expect(parsed.ok ? "" : parsed.problem.message).toMatch(/config.*: has a field __proto__/);
    },
  );

  it.each([1, "x", [1], true])("with the config %j is refused", (config) => {
    expect(parseWith(addPayloadSchema, { body: "x", config }, "The payload of add").ok).toBe(false);
  });

  it("lists every fault, each with its path", () => {
    const parsed = parseWith(
      addPayloadSchema,
      { body: 1, tags: ["a", 2], activate: false },
      "The payload of add",
    );
    const message = parsed.ok ? "" : parsed.problem.message;
    for (const path of ["body:", "tags[1]:", "activate:"]) expect(message).toContain(path);
  });

  it.each([0, 201, 1.5, "50"])("for a page of %j items is refused", (limit) => {
    expect(parseWith(versionsPayloadSchema, { limit }, "The payload").ok).toBe(false);
  });

  it("for a page without a limit gets 50", () => {
    expect(versionsPayloadSchema.parse({}).limit).toBe(50);
  });

  it.each([
    ["32 levels deep is taken", 32, true],
    ["33 levels deep is refused, with the path", 33, false],
    ["that nests without end is refused", 100_000, false],
  ])("whose config is %s", (_, depth, taken) => {
    let config: Record<string, unknown> = {};
    for (let level = 1; level < depth; level++) config = { a: config };
    const parsed = parseWith(addPayloadSchema, { body: "x", config }, "The payload of add");
    expect(parsed.ok).toBe(taken);
    const message = parsed.ok ? "" : parsed.problem.message;
    if (!taken) expect(message).toMatch(/config(\.a){32}: nests deeper than 32 levels/);
  });

  it("for a render keeps a context field named __proto__ as a field", () => {
    const payload = renderPayloadSchema.parse(JSON.parse('{"context":{"__proto__":{"a":1}}}'));
    expect(Object.hasOwn(payload.context, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(payload.context)).toBe(Object.prototype);
  });

  it("for a render keeps a pin of the key __proto__ as a pin", () => {
    const { pins } = renderPayloadSchema.parse(JSON.parse('{"pins":{"__proto__":3,"a/b":0}}'));
    expect(Object.entries(pins ?? {})).toEqual([
      ["__proto__", 3],
      ["a/b", 0],
    ]);
  });

  it("for a render names each pin that is none", () => {
    const pins: unknown = JSON.parse('{"__proto__":-1,"a b":1,"c":1.5,"d":"1","e":1}');
    const parsed = parseWith(renderPayloadSchema, { pins }, "The payload");
    const message = parsed.ok ? "" : parsed.problem.message;
    for (const path of ["pins.__proto__:", "pins.a b:", "pins.c:", "pins.d:"])
      expect(message).toContain(path);
    expect(message).not.toContain("pins.e");
  });

  it("for a render takes as many pins as the limit says, and not one more", () => {
    const pins = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
    expect(parseWith(renderPayloadSchema, { pins: pins(LIMITS.pins) }, "The payload").ok).toBe(true);
    expect(parseWith(renderPayloadSchema, { pins: pins(LIMITS.pins + 1) }, "The payload")).toMatchObject({
      problem: { code: "bad_request", path: "pins" },
    });
  });

  it.each([[[]], ["x"], [null], [3]])("for a render whose pins are %j is refused", (pins) => {
    expect(parseWith(renderPayloadSchema, { pins }, "The payload").ok).toBe(false);
  });

  it.each([[[]], ["x"], [null], [3]])("for a render whose context is %j is refused", (context) => {
    expect(parseWith(renderPayloadSchema, { context }, "The payload").ok).toBe(false);
  });
});

describe("an error reply", () => {
  it("is read back as the problem it carries, with fields of a later release", () => {
    const sent = { ...problem("check_failed", "No.", { key: "a", line: 3 }), later: true };
    expect(parseErrorReply({ error: sent })).toEqual(sent);
  });

  it("is told from a reply", () => {
    expect(parseErrorReply({ text: "hi" })).toBeNull();
    expect(parseErrorReply({ error: { code: "no_such_code", status: 400, message: "" } })).toBeNull();
  });
});
