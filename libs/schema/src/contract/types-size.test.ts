import { expect, it } from "vitest";
import { parseContract } from "./parse-contract.ts";
import { writeContractTypes } from "./types-text.ts";

const field = (type: object) => ({ description: "d", ...type });
const ref = (name: string) => field({ $ref: `#/$defs/${name}` });
const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });
const byName = (count: number, make: (i: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, make(i)]));

function typesOf(document: unknown): string {
  const contract = parseContract("c", document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return writeContractTypes(contract.value);
}

const MOST = 1_000_000;
const LEVELS = 200;
/** What each level of a document makes of the one below, which it holds twice. */
const doublings: Record<string, (inner: object) => object> = {
  objects: (inner) => object({ a: inner, b: inner }),
  "unions of lists and records": (inner) => ({
    anyOf: [
      { type: "array", items: inner },
      { type: "object", additionalProperties: inner },
    ],
  }),
  "lists of objects in unions": (inner) => ({
    anyOf: [{ type: "null" }, { type: "array", items: object({ a: inner }) }, object({ b: inner })],
  }),
};

it.each(Object.entries(doublings))(
  "definitions that hold the one below twice are written once: %s",
  (_, of) => {
    const levels = _ === "objects" ? LEVELS : LEVELS / 2;
    const $defs = byName(levels, (i) => of(i === 0 ? field({ type: "string" }) : ref(`d${i - 1}`)));
    const text = typesOf(object({ v: ref(`d${levels - 1}`), w: ref(`d${levels - 1}`) }, { $defs }));
    expect(text.length).toBeLessThan(MOST);
    expect(text.match(/^export type /gm)?.length).toBeGreaterThan(levels / 2);
  },
);

it("names what stands at several places after its title or the first field of it, and nothing that is short", () => {
  const text = typesOf(
    object(
      {
        owner: ref("Person"),
        helper: ref("Person"),
        tones: ref("tones"),
        other: ref("tones"),
        id: ref("id"),
        x: ref("id"),
      },
      {
        $defs: {
          Person: object({ name: field({ type: "string" }) }),
          tones: { type: "array", items: { enum: ["a".repeat(30), "b".repeat(30), "c".repeat(30)] } },
          id: { anyOf: [{ type: "string" }, { type: "null" }] },
        },
      },
    ),
  );
  expect(text).toContain("owner?: Person;");
  expect(text).toContain("helper?: Person;");
  expect(text).toContain("tones?: Tones;");
  expect(text).toContain("other?: Tones;");
  expect(text).toContain("x?: string | null;");
  expect(text.match(/^export type \w+/gm)).toEqual([
    "export type CContext",
    "export type Tones",
    "export type Person",
  ]);
});

it("types of the same name are told apart, also from names that end in numbers", () => {
  const titled = (title: string) => ({ ...object({ a: field({ type: "string" }) }), title });
  const $defs = byName(4, (i) => titled(["Task", "Task2", "task", "Array"][i] ?? ""));
  const twice = (i: number) => [`a${i}`, `b${i}`].map((name) => [name, ref(`d${i}`)]);
  const text = typesOf(object(Object.fromEntries([0, 1, 2, 3].flatMap(twice)), { $defs }));
  const names = text.match(/^export type \w+/gm) ?? [];
  expect(new Set(names).size).toBe(5);
  expect(names).not.toContain("export type Array");
});

it("a long description or constant of one definition is not written at each field that refers to it", () => {
  const long = "k".repeat(50_000);
  const $defs = { a: { type: "string", description: long }, b: { const: long } };
  const properties = byName(2_000, (i) => (i % 2 === 0 ? { $ref: "#/$defs/a" } : ref("b")));
  expect(typesOf(object(properties, { $defs })).length).toBeLessThan(MOST);
});

it("objects in objects of many definitions stay within the page, up to the most fields there may be", () => {
  const chain = byName(240, (i) =>
    object({ a: i === 239 ? object(byName(4_000, () => field({ type: "null" }))) : ref(`d${i + 1}`) }),
  );
  const deepest = chain["d239"] as { properties: { a: object } };
  deepest.properties.a = field(deepest.properties.a);
  const text = typesOf(object({ v: ref("d0") }, { $defs: chain }));
  expect(text.length).toBeLessThan(MOST);
  for (const line of text.split("\n")) expect(/^ */.exec(line)?.[0].length).toBeLessThanOrEqual(20);
});

it("the constants of one enumeration are written once, however many unions it is part of", () => {
  const values = { enum: Array.from({ length: 400 }, (_, i) => `${"k".repeat(70)}${i}`) };
  const others = (i: number) => field({ anyOf: [{ $ref: "#/$defs/values" }, { const: i }] });
  const text = typesOf(object({ own: ref("values"), ...byName(1_500, others) }, { $defs: { values } }));
  expect(text.length).toBeLessThan(MOST);
  expect(text).toContain("own?: OwnValue;");
  expect(text).toContain("d7?: OwnValue | 7;");
});

it("enumerations that share constants are parted into what stands together", () => {
  const long = (name: string) => `${name} ${"k".repeat(50)}`;
  const $defs = {
    one: { enum: ["a", "b", "c", "d"].map(long) },
    two: { enum: ["x", "y"].map(long) },
    id: { const: long("i") },
  };
  const either = (...names: string[]) =>
    field({ anyOf: [...names.map((name) => ({ $ref: `#/$defs/${name}` })), { type: "null" }] });
  const text = typesOf(
    object({ p: either("one"), q: either("one", "two"), r: either("two", "id"), s: ref("id") }, { $defs }),
  );
  expect(text).toContain("p?: PValue | null;");
  expect(text).toContain("q?: PValue | QValue | null;");
  expect(text).toContain(`r?: QValue | "${long("i")}" | null;`);
  expect(text).toContain(`s?: "${long("i")}";`);
  expect(text).toContain(`export type QValue = "${long("x")}" | "${long("y")}";`);
});
