import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../template.ts";
import { mayBeAbsent } from "./absent.ts";
import type { Contract, ObjectShape, Shape } from "./contract.ts";
import { parseContract } from "./parse-contract.ts";
import { type Reads, READS_ALL, readsOfField, readsOfItems } from "./reads.ts";
import { createValidator } from "./validator.ts";

const NAMES = ["a", "b", "c", "größe", "user-id"];
const name = fc.constantFrom(...NAMES);

/** Documents that hold all there is; the objects of a union are told apart by a constant. */
const { node } = fc.letrec<{ node: object; fields: object; leaf: object }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<object>(
      { type: "string" },
      { type: "string", minLength: 2 },
      { type: "number" },
      { type: "integer" },
      { type: "boolean" },
      { enum: ["x", 1, null] },
      { $ref: "#/$defs/Tree" },
    ),
  ),
  fields: fc
    .tuple(fc.dictionary(name, tie("node"), { maxKeys: 3 }), fc.subarray(NAMES))
    .map(([properties, required]) => ({
      type: "object",
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, one]) => [key, { ...one, description: "d" }]),
      ),
      required: required.filter((one) => Object.hasOwn(properties, one)),
    })),
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie("leaf"),
    tie("fields"),
    fc.record({ type: fc.constant("array"), items: tie("node"), minItems: fc.constantFrom(0, 1) }),
    fc.record({ type: fc.constant("object"), additionalProperties: tie("node") }),
    tie("leaf").map((one) => ({ anyOf: [one, { type: "null" }] })),
    fc.tuple(tie("fields"), tie("fields")).map((members) => ({ anyOf: members.map(tagged) })),
  ),
}));

function tagged(member: object, tag: number): object {
  const { properties, required } = member as { properties: object; required: string[] };
  return {
    type: "object",
    title: `Kind ${tag}`,
    properties: { ...properties, kind: { const: tag, description: "d" } },
    required: [...required, "kind"],
  };
}

const contract = fc.dictionary(name, node, { minKeys: 1, maxKeys: 4 }).map((properties): Contract => {
  const fields = Object.entries(properties).map(([key, one]) => [key, { ...one, description: "d" }]);
  const parsed = parseContract("c", {
    type: "object",
    properties: {
      ...Object.fromEntries(fields),
      lang: { enum: ["en", "de"], default: "en", description: "d" },
    },
    $defs: {
      Tree: {
        type: "object",
        required: ["label"],
        properties: {
          label: { type: "string", description: "d" },
          sub: { type: "array", items: { $ref: "#/$defs/Tree" }, description: "d" },
        },
      },
    },
  });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
});

const contextOf = (of: Contract) => valueOf(of.root, 0) as fc.Arbitrary<JsonObject>;

/** Values that fit, with fields that no contract lists. */
function valueOf(shape: Shape, depth: number): fc.Arbitrary<Json> {
  switch (shape.kind) {
    case "string":
      return fc.string({ minLength: shape.minLength, maxLength: 4 });
    case "number":
      return shape.integer ? fc.integer() : fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "literal":
      return fc.constant(shape.value);
    case "list":
      return fc.array(valueOf(shape.item, depth + 1), {
        minLength: shape.minItems,
        maxLength: depth > 5 ? shape.minItems : 2,
      });
    case "record":
      return fc.dictionary(
        fc.oneof(name, fc.constantFrom("0", "constructor", "__proto__")),
        valueOf(shape.value, depth + 1),
        {
          maxKeys: 2,
        },
      );
    case "union":
      return fc.oneof(...shape.members.map((member) => valueOf(member, depth + 1)));
    case "object":
      return objectOf(shape, depth);
    default:
      return shape satisfies never;
  }
}

function objectOf({ fields }: ObjectShape, depth: number): fc.Arbitrary<Json> {
  const parts: Record<string, fc.Arbitrary<Json>> = { unlisted: fc.constant(1) };
  const requiredKeys: string[] = [];
  for (const field of fields.values()) {
    if (field.required) requiredKeys.push(field.name);
    else if (depth > 5) continue;
    const value = valueOf(field.shape, depth + 1);
    parts[field.name] = field.required ? value : fc.option(value, { freq: 4 });
  }
  return fc.record(parts, { requiredKeys });
}

const readName = fc.oneof(name, fc.constantFrom("kind", "label", "sub", "lang"));
const { reads } = fc.letrec<{ reads: Reads; some: Reads }>((tie) => ({
  some: fc.record({
    all: fc.constant(false),
    fields: fc.array(fc.tuple(readName, tie("reads")), { maxLength: 3 }).map((entries) => new Map(entries)),
    items: fc.option(tie("reads")),
  }),
  reads: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Reads>(READS_ALL, { all: false, fields: new Map(), items: null }),
    { arbitrary: tie("some"), weight: 4 },
  ),
}));

/** What is left of a value where only that is read; null and absent read alike. */
function project(value: Json, of: Reads): Json {
  if (typeof value !== "object" || value === null) return value;
  const items = readsOfItems(of);
  if (Array.isArray(value)) return value.map((item) => (items === null ? null : project(item, items)));
  const fields = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    const field = readsOfField(of, key);
    return field === null || inner === null ? [] : [[key, project(inner, field)]];
  });
  return fields.toSorted(([a], [b]) => (a < b ? -1 : 1)) as Json;
}

const judged = (of: Contract, context: JsonObject, what: Reads = READS_ALL): JsonObject => {
  const result = createValidator(of, what)(context);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};
const withContext = contract.chain((of) => fc.tuple(fc.constant(of), contextOf(of)));

it("what a contract allows is accepted, loses what is not listed, and is accepted again as it is", () => {
  fc.assert(
    fc.property(withContext, ([of, context]) => {
      const once = judged(of, context);
      expect(Object.hasOwn(once, "unlisted")).toBe(false);
      expect(JSON.stringify(judged(of, once))).toBe(JSON.stringify(once));
    }),
  );
});

it("reads in part give what reads of all give there", () => {
  fc.assert(
    fc.property(withContext, reads, ([of, context], what) => {
      expect(project(judged(of, context, what), what)).toEqual(project(judged(of, context), what));
    }),
  );
});

it("any JSON is judged, and what is accepted is accepted again", () => {
  const any = fc.dictionary(fc.oneof(name, fc.constant("lang")), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(contract, any, (of, context) => {
      const result = createValidator(of)(context as JsonObject);
      if (result.ok) expect(createValidator(of)(result.value)).toEqual(result);
      else expect(result.problem.code).toBe("bad_context");
    }),
  );
});

it("what a context is given by a default or may lack is known of it", () => {
  fc.assert(
    fc.property(withContext, ([of, context]) => {
      const copy = judged(of, context);
      expect(["en", "de"]).toContain(copy["lang"]);
      for (const key of of.root.kind === "object" ? of.root.fields.keys() : [])
        expect(mayBeAbsent(copy, key)).toBe(true);
      expect(mayBeAbsent(copy, "unlisted")).toBe(false);
    }),
  );
});
