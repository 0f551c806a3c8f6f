import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Json, JsonObject } from "../template.ts";
import { defineContract } from "./define-contract.ts";
import { documentFromZod } from "./from-zod.ts";
import { parseContract } from "./parse-contract.ts";
import { createValidator } from "./validator.ts";

const d = <S extends z.ZodType>(schema: S): S => schema.describe("d");

describe("defineContract", () => {
  it("turns what a contract can hold into its document", () => {
    const Person = z
      .object({
        name: z.string().min(1).describe("The name."),
        get boss() {
          return Person.optional().describe("Above.");
        },
      })
      .meta({ title: "Person" });
    const { document, contract } = defineContract(
      "triage",
      z.object({
        user: Person.describe("Who asks."),
        lang: d(z.enum(["en", "de"])),
        age: d(z.int().nullable()),
        count: d(z.number().int().default(3)),
        tags: d(z.array(z.string()).nonempty()),
        marks: d(z.record(z.string(), z.boolean()).optional()),
        turn: z
          .string()
          .meta({ description: "The turn.", "x-per-call": true, "x-warn-unused": "turn_unused" }),
        kind: d(z.literal("a")),
        owner: d(
          z.discriminatedUnion("kind", [
            z.object({ kind: d(z.literal("x")) }),
            z.object({ kind: d(z.literal("y")) }),
          ]),
        ),
      }),
    );
    expect(document).toEqual({
      type: "object",
      required: ["user", "lang", "age", "tags", "turn", "kind", "owner"],
      properties: {
        user: expect.objectContaining({ description: "Who asks.", type: "object" }) as unknown,
        lang: { description: "d", enum: ["en", "de"] },
        age: { description: "d", anyOf: [{ type: "integer" }, { type: "null" }] },
        count: { description: "d", type: "integer", default: 3 },
        tags: { description: "d", type: "array", items: { type: "string" }, minItems: 1 },
        marks: { description: "d", type: "object", additionalProperties: { type: "boolean" } },
        turn: {
          description: "The turn.",
          type: "string",
          "x-per-call": true,
          "x-warn-unused": "turn_unused",
        },
        kind: { description: "d", const: "a" },
        owner: {
          description: "d",
          anyOf: ["x", "y"].map((kind) => ({
            type: "object",
            required: ["kind"],
            properties: { kind: { description: "d", const: kind } },
          })),
        },
      },
      $defs: {
        Person: {
          type: "object",
          title: "Person",
          required: ["name"],
          properties: {
            name: { description: "The name.", type: "string", minLength: 1 },
            boss: { description: "Above.", $ref: "#/$defs/Person" },
          },
        },
      },
    });
    expect(contract.variants).toHaveLength(1);
  });

  it("takes a root union of objects with titles as variants", () => {
    const { contract } = defineContract(
      "c",
      z.union([
        z.object({ task: d(z.string()) }).meta({ title: "A run" }),
        z.object({ talk: d(z.string()) }).meta({ title: "A talk" }),
      ]),
    );
    expect(contract.variants.map(({ title }) => title)).toEqual(["A run", "A talk"]);
  });

  it("carries the type of the context", () => {
    const contract = defineContract("c", z.object({ a: d(z.string()), b: d(z.number().default(1)) }));
    expectTypeOf<(typeof contract)["schema"]>().toExtend<
      z.ZodType<unknown, { a: string; b?: number | undefined }>
    >();
    expect(contract.name).toBe("c");
  });

  it.each<[string, z.ZodType, RegExp]>([
    ["any", z.any(), /a: z\.any has no place/],
    ["unknown", z.unknown(), /z\.unknown/],
    ["a date", z.date(), /string that is ready/],
    ["a bigint", z.bigint(), /z\.bigint/],
    ["a promise", z.promise(z.string()), /await it/],
    ["a transform", z.string().transform((text) => text.length), /z\.pipe/],
    ["coercion", z.coerce.string(), /coercion/],
    ["a refinement", z.string().refine((text) => text !== ""), /check custom/],
    ["a longest length", z.string().max(10), /check max_length/],
    ["a pattern", z.string().regex(/x/), /format regex/],
    ["an e-mail address", z.email(), /format email/],
    ["trimming", z.string().trim(), /check overwrite/],
    ["bounds", z.number().min(1), /check greater_than/],
    ["a format of numbers", z.int32(), /int32.*use z\.int/],
    ["a tuple", z.tuple([z.string()]), /z\.tuple/],
    ["a set", z.set(z.string()), /give a list/],
    ["a map", z.map(z.string(), z.string()), /give a record/],
    ["an intersection", z.intersection(z.object({}), z.object({})), /one object/],
    ["a loose object", z.looseObject({}), /nobody has described/],
    ["a strict object", z.strictObject({}), /strict object/],
    ["a record of few names", z.record(z.enum(["a"]), z.string()), /names of a record/],
    ["catch", z.string().catch("x"), /z\.catch/],
    ["an optional item", z.array(z.string().optional()), /only a field/],
    ["a refinement of null or text", z.string().nullable().refine(Boolean), /check custom/],
    ["a refinement of what is read-only", z.string().readonly().refine(Boolean), /check custom/],
    ["a refinement of what is lazy", z.lazy(() => z.string()).refine(Boolean), /check custom/],
    ["a refinement of an enum", z.enum(["a", "b"]).refine(Boolean), /check custom/],
    ["a refinement of a constant", z.literal("a").refine(Boolean), /check custom/],
    ["exactly one of", z.xor([z.string(), z.number()]), /z\.xor has no place/],
    ["a default made anew each time", z.number().default(() => Math.random()), /another one each time/],
    [
      "a default that throws",
      z.string().default(() => {
        throw new Error("not yet");
      }),
      /the default cannot be read: not yet/,
    ],
    ["a default that is no JSON", z.string().default(1n as never), /the default cannot be read/],
    ["a mark with a wrong value", z.string().meta({ "x-per-call": "yes" }), /a: x-per-call can only be true/],
    ["a mark that is misspelt", z.string().meta({ "x-per_call": true }), /"x-per_call" is not supported/],
  ])("refuses %s, with its path", (_, schema, message) => {
    expect(() => defineContract("c", z.object({ a: d(schema) }))).toThrow(message);
  });

  it("lists every fault, of the schema and of the names and descriptions in it", () => {
    const schema = z.object({ a: d(z.date()), b: z.string(), c: d(z.any()), if: d(z.string()) });
    expect(() => defineContract("c", schema)).toThrow(
      /a: z\.date.*c: z\.any.*b: has no desc.*if: has a name/,
    );
  });

  it("takes what may be left out in any order of its wrappers, described on any of them", () => {
    const fields = {
      a: d(z.string()).optional().nullable(),
      b: d(z.string().optional()).readonly(),
      c: d(z.lazy(() => z.string().optional())),
      e: z.string().default("x").nullable().check(z.describe("d")),
    };
    const textOrNull = { anyOf: [{ type: "string" }, { type: "null" }], description: "d" };
    const text = { type: "string", description: "d" };
    expect(defineContract("c", z.object(fields)).document).toEqual({
      type: "object",
      properties: { a: textOrNull, b: text, c: text, e: { ...textOrNull, default: "x" } },
    });
  });

  it("takes recursion through a lazy schema, which Zod makes anew at each look", () => {
    const Tree: z.ZodType = z.lazy(() => z.object({ name: d(z.string()), kids: d(z.array(Tree)) }));
    const { contract, document } = defineContract("c", z.object({ tree: d(Tree) }));
    expect(Object.keys(document.$defs ?? {})).toEqual(["Node"]);
    expect(createValidator(contract)({ tree: { name: "a", kids: [{ name: "b", kids: [] }] } }).ok).toBe(true);
    expect(createValidator(contract)({ tree: { name: "a", kids: [{ name: 1, kids: [] }] } }).ok).toBe(false);
  });

  it("takes recursion without an object, and circles that share a part of their way", () => {
    expect(() => defineContract("c", z.object({ any: d(z.json()) }))).not.toThrow();
    const List: z.ZodType = z.lazy(() => z.union([z.object({ list: d(End) }), z.array(End)]));
    const End: z.ZodType = z.record(z.string(), List);
    expect(() => defineContract("c", z.object({ list: d(List) }))).not.toThrow();
  });

  it("refuses in bounded time what has no end, or grows with each use", () => {
    const endless = (): z.ZodType =>
      z.object({ a: d(z.array(z.lazy(endless))), b: d(z.array(z.lazy(endless))) });
    expect(() => defineContract("c", z.object({ a: d(endless()) }))).toThrow(/not made anew by a function/);
    let doubled: z.ZodType = z.string();
    for (let i = 0; i < 30; i++) doubled = z.object({ a: d(doubled), b: d(doubled) });
    expect(() => defineContract("c", doubled)).toThrow(/more than 5000 fields/);
    let deep: z.ZodType = z.string();
    for (let i = 0; i < 2_000; i++) deep = z.array(deep);
    expect(() => defineContract("c", z.object({ a: d(deep) }))).toThrow(/deeper than 32/);
  });

  it("refuses a field __proto__, which an object would lose", () => {
    const schema = z.object(Object.fromEntries([["__proto__", d(z.string().optional())]]));
    expect(() => defineContract("c", schema)).toThrow(/__proto__: has a name/);
  });

  it("refuses a field without a description, a reserved name and a wrong name of the contract", () => {
    expect(() => defineContract("c", z.object({ a: z.string() }))).toThrow(/a: has no description/);
    expect(() => defineContract("c", z.object({ lookup: d(z.string()) }))).toThrow(/means something else/);
    expect(() => defineContract("no name", z.object({}))).toThrow(/not the name/);
    expect(() => defineContract("c", z.string())).toThrow(/context is an object/);
  });
});

const scalar = fc.constantFrom<() => z.ZodType>(
  () => z.string(),
  () => z.string().min(1),
  () => z.number(),
  () => z.int(),
  () => z.boolean(),
  () => z.null(),
  () => z.enum(["a", "b"]),
  () => z.literal(7),
);
const schemas = fc.letrec<{ type: () => z.ZodType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    scalar,
    tie("type").map((of) => () => z.array(of())),
    tie("type").map((of) => () => z.array(of()).min(1)),
    tie("type").map((of) => () => of().nullable()),
    tie("type").map((of) => () => z.record(z.string(), of())),
    fc.tuple(scalar, scalar).map(
      ([one, two]) =>
        () =>
          z.union([one(), two()]),
    ),
    fc
      .dictionary(fc.constantFrom("a", "b", "c"), fc.tuple(tie("type"), fc.boolean()), { maxKeys: 3 })
      .map(
        (fields) => () =>
          z.object(
            Object.fromEntries(
              Object.entries(fields).map(([name, [of, optional]]) => [
                name,
                d(optional ? of().optional() : of()),
              ]),
            ),
          ),
      ),
  ),
})).type;
// Zod's integers are safe ones; to a contract any whole number is one.
const values = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => value as Json)
  .filter((value) => !/\d{16}|e\+/.test(JSON.stringify(value)));
const likely = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>("", "a", "b", 0, 7, 1.5, true, null),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

it("judges as Zod does, but that null may stand for what is left out", () => {
  let accepted = 0;
  fc.assert(
    fc.property(schemas, fc.oneof(likely, values), (make, value) => {
      const schema = z.object({ x: d(make()) });
      const document = documentFromZod(schema);
      if (!document.ok) throw new Error(document.problem.message);
      const contract = parseContract("c", document.value);
      if (!contract.ok) throw new Error(contract.problem.message);
      const context: JsonObject = { x: value };
      const isAccepted = createValidator(contract.value)(context).ok;
      const zod = schema.safeParse(context).success;
      if (zod) {
        accepted++;
        expect(isAccepted).toBe(true);
      } else if (isAccepted) expect(JSON.stringify(value)).toContain("null");
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
