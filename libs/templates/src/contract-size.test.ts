import { parseContract } from "@incipit/schema";
import { expect, it } from "vitest";
import { writeContractReference } from "./contract-reference.ts";

const field = (type: object) => ({ description: "d", ...type });
const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });
const list = (items: object) => ({ type: "array", items });
const record = (values: object) => ({ type: "object", additionalProperties: values });
const either = (...anyOf: object[]) => ({ anyOf });
const ref = (name: string) => field({ $ref: `#/$defs/${name}` });
const text = field({ type: "string" });
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const byName = (count: number, make: (i: number) => object, prefix = "f") =>
  Object.fromEntries(times(count, (i) => [`${prefix}${i}`, make(i)]));

function reference(of: object): string {
  const contract = parseContract("c", JSON.parse(JSON.stringify(of)));
  if (!contract.ok) throw new Error(contract.problem.message);
  return writeContractReference(contract.value, 1);
}

const MOST = 1_000_000;
/** Definitions that each make something of the one before, from a text. */
const levels = (count: number, of: (below: object, i: number) => object) =>
  object(
    { v: ref(`d${count - 1}`), w: field(list(ref(`d${count - 1}`))) },
    { $defs: byName(count, (i) => of(i === 0 ? text : ref(`d${i - 1}`), i), "d") },
  );

const contracts: Record<string, object> = {
  "objects that hold twice the one below": levels(200, (below) => object({ a: below, b: below })),
  "the same through lists, records and unions": levels(70, (below) =>
    object({ a: field(list(either(below, { type: "null" }))), b: field(record(list(below))) }),
  ),
  "no objects at all": levels(120, (below) => either(list(below), record(below))),
  "wide lists in wide lists": levels(4, (below) => list(object(byName(32, () => field(below))))),
  "unions of objects that hold the union": levels(8, (below, i) =>
    either(
      ...times(40, (j) =>
        object(
          { kind: field({ const: `${i} ${j}` }), next: below, all: ref(`d${i}`) },
          { required: ["kind"] },
        ),
      ),
    ),
  ),
  "unions of objects that nothing tells apart": levels(8, (below, i) =>
    either(...times(40, () => object({ next: below, all: ref(`d${i}`), x: text }))),
  ),
  "the most fields there may be": object(byName(4_998, () => text)),
  "the most objects there may be": object(
    byName(1_600, (i) => field(object({ [`x${i}`]: field(object({ y: text })) }))),
  ),
  "a long description, and a long constant, at each field": object(
    byName(2_000, (i) => (i % 2 === 0 ? { $ref: "#/$defs/text" } : ref("constant"))),
    {
      $defs: {
        text: { type: "string", description: "k".repeat(50_000) },
        constant: { const: "k".repeat(50_000) },
      },
    },
  ),
  "an enumeration in the union of each field": object(
    byName(1_000, () => field(either({ $ref: "#/$defs/values" }, { type: "null" }))),
    { $defs: { values: { enum: times(400, (i) => `${"k".repeat(300)}${i}`) } } },
  ),
  "variants with a long tag": either(
    ...times(2, (i) =>
      object(
        {
          kind: field({ const: `${"k".repeat(50_000)}${i}` }),
          ...byName(1_000, () => (i === 0 ? text : field(list(text)))),
        },
        { title: `V${i}`, required: ["kind"] },
      ),
    ),
  ),
};

it.each(Object.entries(contracts))(
  "a reference grows with its contract, not with the ways through it: %s",
  // On a slow machine; what these are about would never end.
  { timeout: 60_000 },
  (_, of) => {
    expect(reference(of).length).toBeLessThan(MOST);
  },
);

it.each<[string, object, string]>([
  ["texts or lists of themselves", either({ type: "string" }, list(ref("J"))), "string or list of the same"],
  ["records of themselves", record(ref("J")), "record of the same"],
  ["lists in lists of themselves", list(list(ref("J"))), "list of list of the same"],
  [
    "JSON",
    either({ type: "string" }, { type: "null" }, list(ref("J")), record(ref("J"))),
    "string or null or list of the same or record of the same",
  ],
])("what holds itself without an object is written up to there: %s", (_, J, words) => {
  expect(reference(object({ v: ref("J") }, { $defs: { J } }))).toContain(`| \`v\` | ${words} |`);
});

it("an object without a title is named after its first place, and no two headings are the same", () => {
  const titled = (title: string, x: string) => ({ ...object({ [x]: text }), title });
  const markdown = reference(
    object(
      byName(8, (i) => ref(`d${i % 4}`)),
      {
        $defs: {
          d0: list(object({ a: text })),
          d1: titled("Task", "b"),
          d2: titled("Task", "c"),
          d3: titled("Guards", "d"),
        },
      },
    ),
  );
  const headings = markdown.match(/^## .*$/gm);
  expect(headings).toEqual([
    "## Fields",
    "## f0[]",
    "## Task",
    "## Task (2)",
    "## Guards (2)",
    "## Guards",
    "## Helpers",
    "## Limits",
  ]);
  expect(markdown).toContain("| `f4` | list of f0[] |");
  expect(markdown).toContain("| `f6` | Task (2) |");
});
