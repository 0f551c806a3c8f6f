import { parseContract } from "@incipit/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkTemplate } from "./check/check-template.ts";
import { writeContractReference } from "./contract-reference.ts";
import { linkTemplate } from "./link-template.ts";
import { parseTemplate } from "./parse-template.ts";

const text = (description: string) => ({ type: "string", description });
const object = (properties: object, rest: object = {}) => ({
  type: "object",
  description: "d",
  properties,
  ...rest,
});
const list = (items: object) => ({ type: "array", description: "d", items });
const either = (...anyOf: object[]) => ({ anyOf, description: "d" });
const constant = (value: string) => ({ const: value, description: "d" });
const nothing = { type: "null" };
const owner = object({ name: text("d"), boss: object({ name: text("d") }, { required: ["name"] }) });

const hard: Record<string, object> = {
  "objects that may be absent, and lists in them": object({
    a: object({ b: object({ c: text("d") }, { required: ["c"] }), l: list(object({ t: text("d") })) }),
    r: { ...object({}), properties: undefined, additionalProperties: object({ n: list(owner) }) },
    none: { ...nothing, description: "d" },
    on: either({ type: "boolean" }, nothing),
    open: list(either(owner, nothing)),
    nested: list(list(owner)),
  }),
  "values of several kinds": object({
    m: either(text("d"), list(owner), owner, nothing),
    items: list(either(text("d"), owner)),
    n: either({ type: "number" }, { type: "string" }),
  }),
  "variants with a tag": {
    anyOf: [
      object(
        { kind: constant("run"), who: owner, x: text("d"), only: object({ at: text("d") }) },
        { title: "A", required: ["kind", "who", "x"] },
      ),
      object(
        { kind: constant("talk"), who: object({ name: list(text("d")) }), x: list(owner) },
        { title: "B", required: ["kind", "who"] },
      ),
    ],
  },
  "variants without a tag": {
    anyOf: [
      object({ who: owner, x: owner }, { title: "A", required: ["who", "x"] }),
      object(
        { who: object({ name: text("d") }, { required: ["name"] }), x: text("d") },
        { title: "B", required: ["who"] },
      ),
    ],
  },
  "members of a union inside": object({
    step: either(
      object({ kind: constant("call"), tool: text("d"), out: text("d") }, { required: ["kind", "tool"] }),
      object({ kind: constant("say"), out: list(text("d")) }, { required: ["kind", "out"] }),
    ),
  }),
};

const ref = (name: string) => ({ $ref: `#/$defs/${name}`, description: "d" });
const record = (values: object) => ({ type: "object", description: "d", additionalProperties: values });
const Person = object(
  { name: text("d"), boss: ref("Person"), tags: list(text("d")) },
  { required: ["name"] },
);
const tagged = (kind: string, fields: object) =>
  object({ kind: constant(kind), ...fields }, { required: ["kind", ...Object.keys(fields)] });

const shared: Record<string, object> = {
  "one object at many places": object({
    owner: ref("Person"),
    team: list(ref("Person")),
    open: list(either(ref("Person"), nothing)),
    byName: record(ref("Person")),
    nested: list(list(ref("Person"))),
    inner: object({ lead: ref("Person"), others: list(object({ deputy: ref("Person") })) }),
  }),
  "members of a union that stand elsewhere too": object({
    first: either(ref("Call"), ref("Say")),
    later: list(either(ref("Call"), ref("Say"), nothing)),
    last: ref("Call"),
    said: ref("Say"),
    mixed: either(text("d"), ref("Say")),
  }),
  "members of a union that nothing tells apart": object({
    alone: ref("Person"),
    first: either(ref("Person"), ref("Bot")),
    bots: list(ref("Bot")),
  }),
  "what stands only beside values of another kind": object({
    mixed: either(text("d"), ref("Person")),
    list: list(either(text("d"), ref("Bot"))),
    data: ref("Data"),
  }),
  "objects that hold twice the one below": object({ a: ref("D3"), b: list(ref("D3")) }),
  "objects that lie deep": object({
    a: Array.from({ length: 12 }, (_, i) => i).reduce<object>(
      (inner, i) =>
        i % 3 === 0 ? list(object({ [`f${i}`]: inner, x: text("d") })) : object({ [`g${i}`]: inner }),
      text("d"),
    ),
  }),
  "variants that stand inside too": {
    anyOf: [
      object(
        {
          kind: constant("run"),
          above: ref("Run"),
          either: either(ref("Run"), ref("Bot")),
          who: ref("Person"),
        },
        { title: "Run", required: ["kind"] },
      ),
      object(
        { kind: constant("talk"), who: list(ref("Person")), x: text("d") },
        { title: "Talk", required: ["kind"] },
      ),
    ],
  },
  "a variant that is a definition": { anyOf: [ref("Run"), ref("Talk")] },
  "an object whose field is of another kind where it stands later": object({
    a: ref("X"),
    b: either(ref("X"), ref("Y")),
    c: object({ d: ref("Y") }),
  }),
};
const $defs = {
  Person,
  Bot: object({ name: text("d"), parts: list(text("d")) }),
  Call: tagged("call", { tool: text("d"), by: ref("Person") }),
  Say: tagged("say", { out: list(text("d")), by: text("d") }),
  Data: { anyOf: [{ type: "string" }, list(ref("Data")), object({ more: ref("Data"), x: ref("Bot") })] },
  D0: object({ t: text("d"), items: list(ref("Bot")) }),
  D1: object({ a: ref("D0"), b: either(ref("D0"), nothing) }),
  D2: object({ a: list(ref("D1")), b: ref("D1") }, { required: ["a", "b"] }),
  D3: object({ a: ref("D2"), b: record(ref("D2")) }),
  Run: object(
    { kind: constant("run"), above: either(ref("Run"), ref("Talk")), who: ref("Person") },
    { title: "Run", required: ["kind"] },
  ),
  Talk: object(
    { kind: constant("talk"), who: list(ref("Person")), last: ref("Run") },
    { title: "Talk", required: ["kind"] },
  ),
  X: object({ f: ref("Person"), g: ref("Bot") }),
  Y: object({ f: text("d"), g: ref("Person"), h: ref("X") }),
};

const lastLoop = (path: string) => Math.max(path.lastIndexOf("[]"), path.lastIndexOf("{}"));
const put = (around: string, body: string) => around.replace("…", () => body);

/** What stands in a section: `""` is the root of the context. */
type Inside = { readonly section: string; readonly body: string };
type Example = Inside & { readonly path: string; readonly type: string };

/** The examples of a reference, in the loops around them, and the ways to its sections: the one told, and rows that say so. */
function readReference(markdown: string) {
  const [tables = ""] = markdown.split("\n## Guards\n");
  const examples: Example[] = [];
  const ways = new Map<string, Inside>();
  const wholes: Inside[] = [];
  let section = "";
  let around = new Map<string, string>();
  for (const line of tables.split("\n")) {
    if (line.startsWith("## ")) {
      around = new Map();
      section = /^## (?:Variant: .*|Fields)$/.test(line) ? "" : line.slice(3);
    }
    const [, way, of = ""] = /^Its fields, .*, as inside of `(.+)`(?: in (.+))?\.$/.exec(line) ?? [];
    if (way !== undefined) ways.set(section, { body: way, section: of });
    const [, whole, by = ""] = /^It stands only .*, as in `(.+)`(?: in (.+))?\.$/.exec(line) ?? [];
    if (whole !== undefined) wholes.push({ body: whole, section: by });
    const row = /^\| `([^`]+)` \| ((?:[^|]|\\\|)+) \| .* \| `([^`]+)` \|$/.exec(line);
    if (row === null) continue;
    const [, path = "", type = "", example = ""] = row;
    // What stands inside of a loop is read there: each loop is that of the row of its list.
    let body = example;
    // Where a list is printed with what is around it, so is all that is in it.
    let start = path;
    for (let cut = lastLoop(path); cut >= 0; cut = lastLoop(path.slice(0, cut)))
      if (example.includes("{{json ") && around.get(path.slice(0, cut)) === example)
        start = path.slice(0, cut);
    for (let cut = lastLoop(start); cut >= 0; cut = lastLoop(path.slice(0, cut)))
      body = put(around.get(path.slice(0, cut)) ?? "{{#each this}}…{{/each}}", body);
    around.set(path, example);
    if (section === "" || ways.has(section)) examples.push({ section, path, type, body });
  }
  return { examples, ways, wholes };
}

/** What the checker says of the examples of a contract's reference, each as it stands. */
function faultsOf(of: object): { faults: string[]; count: number } {
  const contract = parseContract("c", JSON.parse(JSON.stringify(of)));
  if (!contract.ok) throw new Error(contract.problem.message);
  const { examples, ways, wholes } = readReference(writeContractReference(contract.value, 3));
  const faults = new Set<string>();
  const check = (path: string, body: string) => {
    const parsed = parseTemplate(body, "handlebars");
    if (!parsed.ok) throw new Error(`${body}: ${parsed.problem.message}`);
    const linked = linkTemplate("t", parsed.value, () => undefined);
    if (!linked.ok) throw new Error(linked.problem.message);
    for (const { message } of checkTemplate(linked.value, contract.value, { witnesses: false }).findings)
      faults.add(`${path}: ${body}: ${message}`);
  };
  const whole = ({ section, body }: Inside): string => {
    if (section === "") return body;
    const way = ways.get(section);
    // No template looks into what stands only beside other values.
    return way === undefined ? "" : whole({ ...way, body: put(way.body, body) });
  };
  const mixed = new Set(
    examples.map(
      ({ section, path }) =>
        `${section} ${path.replace(/(?:\[\]|\{\})$/, "")}${/[\]}]$/.test(path) ? "" : " no"}`,
    ),
  );
  for (const one of wholes) check("whole", whole(one));
  for (const example of examples) {
    check(example.path, whole(example));
    // The same wherever else there is nothing but such a value.
    const types = ["", "list of ", "record of "].map((of) => `${of}${example.section}`);
    for (const other of examples)
      if (
        types.includes(other.type) &&
        other.body.includes("…") &&
        !mixed.has(`${other.section} ${other.path}`)
      )
        check(example.path, whole({ ...other, body: put(other.body, example.body) }));
  }
  return { faults: [...faults], count: examples.length };
}

it.each(Object.entries({ ...hard, ...shared }))(
  "gives examples that pass, each as it stands: %s",
  (_, of) => {
    const { faults, count } = faultsOf({ ...of, $defs });
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(2);
  },
);

it("gives examples that pass, whatever stands at several places", () => {
  const names = ["A", "B", "C", "D"];
  const one = fc.constantFrom(...names).map(ref);
  const value = fc.oneof(
    one,
    one,
    fc.constant(text("d")),
    one.map(list),
    one.map(record),
    one.map((it) => list(list(it))),
    one.map((it) => list(either(it, nothing))),
    fc.tuple(one, one).map(([a, b]) => either(a, b, nothing)),
    fc.tuple(one, one).map(([a, b]) => list(either(a, b, object({ x: a })))),
    one.map((it) => either(text("d"), it)),
    one.map((it) => object({ x: it, y: list(it) })),
  );
  const fields = fc.dictionary(fc.constantFrom("x", "y", "z"), value, { minKeys: 1, maxKeys: 3 });
  const definition = fc
    .tuple(fields, fc.boolean(), fc.constantFrom(...names))
    .map(([of, hasTag, name]) =>
      hasTag ? object({ kind: constant(name), ...of }, { required: ["kind"] }) : object(of),
    );
  const defs = fc.record({ A: definition, B: definition, C: definition, D: definition });
  const root = fc.oneof(
    fields.map((of) => object(of)),
    fc
      .tuple(fields, fields)
      .map(([a, b]) => either({ ...object(a), title: "V" }, { ...object(b), title: "W" })),
    fc.constant(either(ref("A"), ref("B"))),
  );
  fc.assert(
    fc.property(root, defs, (of, all) => {
      expect(faultsOf({ ...of, $defs: all }).faults).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it("writes the guard that a field needs in the table of its variant", () => {
  const contract = parseContract("c", JSON.parse(JSON.stringify(hard["variants with a tag"])));
  if (!contract.ok) throw new Error(contract.problem.message);
  const markdown = writeContractReference(contract.value, 3);
  for (const example of [
    "{{kind}}",
    '{{#if (eq kind "run")}}{{x}}{{/if}}',
    "{{#if only}}{{#if only.at}}{{only.at}}{{/if}}{{/if}}",
    '{{#if (eq kind "talk")}}{{#each who.name}}…{{/each}}{{/if}}',
  ])
    expect(markdown).toContain(`| \`${example}\` |`);
});
