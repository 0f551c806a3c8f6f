import { describe, expect, it } from "vitest";
import { LIMITS } from "../limits.ts";
import { parseContract } from "./parse-contract.ts";

const text = { type: "string", description: "d" };
const of = (properties: Record<string, unknown>, rest: object = {}) => ({
  type: "object",
  properties,
  ...rest,
});
const problemOf = (document: unknown) => {
  const contract = parseContract("c", document);
  if (contract.ok) expect.fail("it was accepted");
  return contract.problem;
};

describe("a document is refused, with the path and the reason", () => {
  it.each<[string, unknown, string | undefined, RegExp]>([
    ["no object", 1, undefined, /must be a JSON object/],
    ["a root that is no object", { type: "string" }, undefined, /context is an object/],
    ["no description", of({ a: { type: "string" } }), "a", /no description/],
    ["a blank description", of({ a: { type: "string", description: " \n" } }), "a", /no description/],
    [
      "no description deep inside",
      of({ a: { type: "array", description: "d", items: of({ b: { type: "null" } }) } }),
      "a[].b",
      /no description/,
    ],
    ["a helper's name", of({ lookup: text }), "lookup", /means something else/],
    ["a keyword", of({ if: text, each: text }), "if", /means something else/],
    ["a name with a space", of({ "first name": text }), "first name", /without brackets/],
    ["a name with a dot", of({ "user.email": text }), "user.email", /without brackets/],
    ["a name that is a number", of({ "12": text }), "12", /number/],
    ["a prototype's name", of({ constructor: text }), "constructor", /prototypes/],
    [
      "a keyword of JSON Schema that is not supported",
      of({ a: { ...text, pattern: "x" } }),
      "a",
      /"pattern" is not supported/,
    ],
    ["an unknown type", of({ a: { type: "date", description: "d" } }), "a", /"date" is not supported/],
    ["no type", of({ a: { description: "d" } }), "a", /has no type/],
    ["a union of one", of({ a: { anyOf: [{ type: "string" }], description: "d" } }), "a", /at least two/],
    ["an enum without values", of({ a: { enum: [], description: "d" } }), "a", /at least one/],
    ["a reference to nothing", of({ a: { $ref: "#/$defs/X", description: "d" } }), "a", /does not exist/],
    [
      "a reference elsewhere",
      of({ a: { $ref: "https://example.org/x", description: "d" } }),
      "a",
      /#\/\$defs/,
    ],
    [
      "a definition that is itself",
      of({ a: { $ref: "#/$defs/A", description: "d" } }, { $defs: { A: { $ref: "#/$defs/A" } } }),
      "$defs.A",
      /only another name/,
    ],
    [
      "a union that is itself",
      of(
        { a: { $ref: "#/$defs/A", description: "d" } },
        { $defs: { A: { anyOf: [{ $ref: "#/$defs/A" }, { type: "string" }] } } },
      ),
      "$defs.A",
      /leads back/,
    ],
    [
      "recursion without a base",
      of(
        { a: { $ref: "#/$defs/A", description: "d" } },
        { $defs: { A: of({ next: { $ref: "#/$defs/A", description: "d" } }, { required: ["next"] }) } },
      ),
      "$defs.A",
      /without end/,
    ],
    ["required without a field", of({ a: text }, { required: ["b"] }), undefined, /not among the properties/],
    ["open objects", of({ a: text }, { additionalProperties: true }), undefined, /can only be false/],
    ["a default that does not fit", of({ a: { ...text, default: 1 } }), "a", /default does not fit/],
    [
      "a default with a field that is not listed",
      of({ a: { type: "object", description: "d", properties: { b: text }, default: { c: "x" } } }),
      "a",
      /c is not a field there/,
    ],
    [
      "a default with a null that would count as absent",
      of({ a: { type: "object", description: "d", properties: { b: text }, default: { b: null } } }),
      "a",
      /b is null/,
    ],
    [
      "a default that is null",
      of({ a: { anyOf: [{ type: "string" }, { type: "null" }], description: "d", default: null } }),
      "a",
      /optional instead/,
    ],
    [
      "a default on an item",
      of({ a: { type: "array", description: "d", items: { type: "string", default: "x" } } }),
      "a[]",
      /belongs on a field/,
    ],
    ["a mark that is none", of({ a: { ...text, "x-per-call": "yes" } }), "a", /only be true/],
    [
      "a warning's code that is none",
      of({ a: { ...text, "x-warn-unused": "Not A Code" } }),
      "a",
      /code of a warning/,
    ],
    ["variants without titles", { anyOf: [of({ a: text }), of({ b: text })] }, undefined, /needs a title/],
    [
      "variants with one title",
      { anyOf: [of({ a: text }, { title: "A" }), of({ b: text }, { title: "A" })] },
      undefined,
      /same title/,
    ],
    [
      "a variant that is no object",
      { anyOf: [of({ a: text }, { title: "A" }), { type: "string" }] },
      undefined,
      /anyOf objects/,
    ],
  ])("%s", (_, document, path, message) => {
    const problem = problemOf(document);
    expect(problem.code).toBe("bad_request");
    expect(problem.message).toMatch(message);
    expect(problem.path).toBe(path);
  });

  it("every fault is told", () => {
    expect(
      problemOf(of({ a: { type: "string" }, if: text, b: { type: "x", description: "d" } })).message,
    ).toMatch(/a: .*if: .*b: /);
  });

  it("with more fields, levels or bytes than the limits, in bounded time", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, text]));
    expect(problemOf(of(many)).message).toMatch(/262144 bytes/);
    const small = Object.fromEntries(
      Object.keys(many).map((name) => [name.slice(0, 5), { type: "null", description: "d" }]),
    );
    expect(problemOf(of(Object.fromEntries(Object.entries(small).slice(0, 5_500)))).message).toMatch(
      /5000 fields/,
    );
    let deep: unknown = { type: "string" };
    for (let i = 0; i < 20_000; i++) deep = { type: "array", items: deep };
    expect(problemOf(of({ a: deep })).code).toBe("too_large");
    expect(problemOf(of({ a: { ...text, description: "x".repeat(LIMITS.contractBytes) } })).code).toBe(
      "too_large",
    );
    const wide = of({ a: { enum: Array.from({ length: 20_000 }, (_, i) => i), description: "d" } });
    expect(problemOf(wide).message).toMatch(/more than 500 values/);
    const members = Array.from({ length: 101 }, () => ({ type: "null" }));
    expect(problemOf(of({ a: { anyOf: members, description: "d" } })).message).toMatch(
      /more than 100 schemas/,
    );
  });
});

describe("a document is understood", () => {
  it("names of any script, with dashes", () => {
    expect(
      parseContract("c", of({ "user-name": text, имя: text, größe: text, $x: text, "a:b": text })).ok,
    ).toBe(true);
  });

  it("unions in unions become one, and definitions may meet each other", () => {
    const document = of(
      { a: { $ref: "#/$defs/A", description: "d" } },
      {
        $defs: {
          A: { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/$defs/B" } }] },
          B: { anyOf: [{ $ref: "#/$defs/A" }, { type: "number" }] },
        },
      },
    );
    const contract = parseContract("c", document);
    const shape =
      contract.ok && contract.value.root.kind === "object"
        ? contract.value.root.fields.get("a")?.shape
        : undefined;
    expect(shape?.kind === "union" && shape.members.map(({ kind }) => kind)).toEqual(["string", "list"]);
  });

  it("a description of a definition is that of a field without one", () => {
    const person = of({ name: text }, { description: "A person." });
    expect(parseContract("c", of({ a: { $ref: "#/$defs/P" } }, { $defs: { P: person } })).ok).toBe(true);
  });
});
