import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, object, text } from "../../testing/compare.ts";

const either = (...members: object[]) => object({ u: { anyOf: [...members, { type: "null" }] } });
const named = (name: string) => ({
  ...object({ a: { anyOf: [{ $ref: `#/$defs/${name}` }, { type: "null" }] } }),
  $defs: { [name]: object({ a: text }) },
});

describe("what narrows a contract, with its path", () => {
  it.each<[string, unknown, unknown, string, RegExp]>([
    ["a field that is gone", object({ a: text, b: text }), object({ a: text }), "b", /removed/],
    ["a field with another name", object({ name: text }), object({ title: text }), "name", /another name/],
    ["a field that must be given now", object({ a: text }, []), object({ a: text }), "a", /must be given/],
    ["another type", object({ a: text }), object({ a: { type: "number" } }), "a", /was a string/],
    [
      "null no longer allowed",
      object({ a: { anyOf: [text, { type: "null" }] } }),
      object({ a: text }),
      "a",
      /no longer be null/,
    ],
    [
      "a value of an enum that is gone",
      object({ a: { enum: ["x", "y"] } }),
      object({ a: { enum: ["x"] } }),
      "a",
      /no longer be "y"/,
    ],
    [
      "any string becoming an enum",
      object({ a: text }),
      object({ a: { enum: ["x", "y"] } }),
      "a",
      /no longer be a string/,
    ],
    [
      "a longer least length",
      object({ a: text }),
      object({ a: { type: "string", minLength: 1 } }),
      "a",
      /at least 1/,
    ],
    [
      "more least items",
      object({ a: { type: "array", items: text } }),
      object({ a: { type: "array", items: text, minItems: 2 } }),
      "a",
      /at least 2/,
    ],
    [
      "whole numbers only",
      object({ a: { type: "number" } }),
      object({ a: { type: "integer" } }),
      "a",
      /whole/,
    ],
    [
      "deep inside",
      object({ a: { type: "array", items: object({ b: { type: "object", additionalProperties: text } }) } }),
      object({
        a: {
          type: "array",
          items: object({ b: { type: "object", additionalProperties: { type: "number" } } }),
        },
      }),
      "a[].b{}",
      /was a string/,
    ],
    [
      "a variant that is gone",
      { anyOf: [object({ a: text }, ["a"], { title: "One" }), object({ b: text }, ["b"], { title: "Two" })] },
      object({ a: text }, ["a"], { title: "One" }),
      "",
      /no longer be "Two"/,
    ],
    [
      "a default that is given up",
      object({ a: { ...text, default: "x" } }),
      object({ a: text }, []),
      "a",
      /no default any more/,
    ],
    [
      "a default for what could be left out",
      object({ a: text }, []),
      object({ a: { ...text, default: "x" } }),
      "a",
      /has a default now/,
    ],
    [
      "a field that another member has, where it must be given",
      either(object({ kind: { const: "a" }, x: text }), object({ kind: { const: "b" } })),
      either(object({ kind: { const: "a" }, x: text }), object({ kind: { const: "b" }, x: text })),
      "u.x",
      /another member already/,
    ],
    [
      "a field that must be given, where no constant tells the members apart",
      either(object({ a: text }), object({ a: text, b: text })),
      either(object({ a: text, c: text }), object({ a: text, b: text })),
      "u.c",
      /taken for another member/,
    ],
    [
      "a default of a field that another member has",
      either(object({ k: { const: "a" }, x: text }, ["k"]), object({ k: { const: "b" } })),
      either(
        object({ k: { const: "a" }, x: text }, ["k"]),
        object({ k: { const: "b" }, x: { ...text, default: "D" } }, ["k"]),
      ),
      "u.x",
      /without a default/,
    ],
    [
      "a constant that no longer tells members apart",
      either(object({ k: { enum: ["a", "c"] } }), object({ k: { const: "b" } })),
      either(object({ k: { enum: ["a", "b", "c"] } }), object({ k: { const: "b" } })),
      "u",
      /not told apart/,
    ],
    [
      "a new member before one that nothing tells apart from it",
      either(object({ a: text }, [])),
      either(object({ b: text }, []), object({ a: text }, [])),
      "u",
      /tries an object before an object/,
    ],
    [
      "another order of members that nothing tells apart",
      either(object({ a: text }, []), object({ b: text }, [])),
      either(object({ b: text }, []), object({ a: text }, [])),
      "u",
      /keep the order/,
    ],
    [
      "another default",
      object({ a: { ...text, default: "x" } }),
      object({ a: { ...text, default: "y" } }),
      "a",
      /another default/,
    ],
  ])("%s", (_, before, after, path, message) => {
    const { narrowed } = compare(before, after);
    expect(narrowed).toHaveLength(1);
    expect(narrowed[0]?.path).toBe(path);
    expect(narrowed[0]?.message).toMatch(message);
  });
});

describe("what is allowed", () => {
  it.each<[string, unknown, unknown, string[]]>([
    ["a field that may now be absent", object({ a: text }), object({ a: text }, []), ["a"]],
    ["null allowed now", object({ a: text }), object({ a: { anyOf: [text, { type: "null" }] } }), ["a"]],
    ["another value of an enum", object({ a: { enum: ["x"] } }), object({ a: { enum: ["x", "y"] } }), ["a"]],
    ["an enum becoming any string", object({ a: { enum: ["x", "y"] } }), object({ a: text }), ["a", "a"]],
    [
      "another variant",
      object({ a: text }, ["a"], { title: "One" }),
      { anyOf: [object({ a: text }, ["a"], { title: "One" }), object({ b: text }, ["b"], { title: "Two" })] },
      [""],
    ],
    [
      "a field that another member has, where it may be left out",
      either(object({ kind: { const: "a" }, x: text }), object({ kind: { const: "b" } })),
      either(
        object({ kind: { const: "a" }, x: text }),
        object({ kind: { const: "b" }, x: { type: "number" } }, ["kind"]),
      ),
      ["u.x"],
    ],
    [
      "another member that a constant tells apart, wherever it stands",
      either(object({ kind: { const: "a" } })),
      either(object({ kind: { const: "b" } }), object({ kind: { const: "a" } })),
      ["u"],
    ],
  ])("%s widens", (_, before, after, paths) => {
    const { narrowed, widened } = compare(before, after);
    expect(narrowed).toEqual([]);
    expect(widened.map(({ path }) => path)).toEqual(paths);
  });
  it.each<[string, unknown, unknown]>([
    ["a new field, also a required one", object({ a: text }), object({ a: text, b: text })],
    ["a default for what had to be given", object({ a: text }), object({ a: { ...text, default: "x" } })],
    ["a definition with another name", named("P"), named("Q")],
    ["both booleans as an enum", object({ a: { type: "boolean" } }), object({ a: { enum: [true, false] } })],
    [
      "a default with its fields in another order",
      object({ a: { ...object({ p: text, q: text }), default: { p: "1", q: "2" } } }),
      object({ a: { ...object({ p: text, q: text }), default: { q: "2", p: "1" } } }),
    ],
    [
      "a field that must be given, where a constant tells the members apart",
      either(object({ kind: { const: "a" } }), object({ kind: { const: "b" } })),
      either(object({ kind: { const: "a" }, x: text }), object({ kind: { const: "b" } })),
    ],
    [
      "other descriptions, titles and marks",
      object({ a: text }),
      object({
        a: { ...text, description: "other", title: "A", "x-per-call": true, "x-warn-unused": "a_unused" },
      }),
    ],
  ])("%s concerns no template", (_, before, after) => {
    const { narrowed, widened } = compare(before, after);
    expect({ narrowed, widened }).toEqual({ narrowed: [], widened: [] });
  });
});

it("tells members without titles apart by their constants, in any order", () => {
  const of = (kind: string, name: string) => object({ kind: { const: kind }, [name]: text });
  const before = object({ u: { anyOf: [of("a", "x"), of("b", "y")] } });
  expect(compare(before, object({ u: { anyOf: [of("b", "y"), of("c", "z"), of("a", "x")] } }))).toMatchObject(
    {
      narrowed: [],
      widened: [{ path: "u" }],
      added: [],
    },
  );
  expect(compare(before, object({ u: { anyOf: [of("b", "y"), of("c", "x")] } })).narrowed).toHaveLength(1);
});

it("tells of a definition that is used twice once", () => {
  const of = (x: object) => ({
    ...object({ a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } }),
    $defs: { A: object({ x }) },
  });
  expect(compare(of(text), of({ type: "number" })).narrowed).toHaveLength(1);
});

it("compares what holds itself, and ends", () => {
  const recursive = (inner: object) => ({
    ...object({ node: { $ref: "#/$defs/Node" } }),
    $defs: { Node: inner },
  });
  const before = recursive(object({ name: text, next: { $ref: "#/$defs/Node" } }, ["name"]));
  const after = recursive(object({ name: text, extra: text, next: { $ref: "#/$defs/Node" } }, ["name"]));
  expect(compare(before, before)).toEqual({ narrowed: [], widened: [], added: [], shown: [] });
  expect(compare(before, after)).toMatchObject({
    narrowed: [],
    widened: [],
    added: [{ path: "node.extra" }],
  });
  expect(compare(after, before).narrowed).toMatchObject([{ path: "node.extra" }]);
});

it("finds nothing between a contract and itself", () => {
  const scalar = fc.constantFrom(
    text,
    { type: "integer" },
    { enum: ["a", 1, null] },
    { anyOf: [text, { type: "null" }] },
  );
  const type = fc.letrec<{ type: object }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3 },
      scalar,
      tie("type").map((items) => ({ type: "array", items })),
      tie("type").map((values) => ({ type: "object", additionalProperties: values })),
      fc
        .dictionary(fc.constantFrom("a", "b", "c"), tie("type"), { maxKeys: 3 })
        .map((fields) => object(fields, [])),
    ),
  })).type;
  fc.assert(
    fc.property(type, (of) => {
      expect(compare(object({ a: of }), object({ a: of }))).toEqual({
        narrowed: [],
        widened: [],
        added: [],
        shown: [],
      });
    }),
  );
});
