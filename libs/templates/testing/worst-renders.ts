/** One render that would take for ever: a helper in two loops, on the input that is worst for it. */
export type WorstRender = {
  readonly name: string;
  readonly body: string;
  readonly context: Readonly<Record<string, unknown>>;
};

const times = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => item(i));

const record = (fields: number, name: (index: number) => string = (i) => `k${i}`): Record<string, number> =>
  Object.fromEntries(times(fields, (i) => [name(i), 0]));

/** Names that V8 keeps sorted as indexes, or hashes badly. */
const asIndex = (i: number): string => String((i * 7_919) % 1_000_003);
const asBigIndex = (i: number): string => String(2 ** 32 + i * 9_973);

/** Numbers with as many digits as there can be. */
const doubles = (count: number): number[] => times(count, (i) => (1 + i / 3) * 10 ** ((i % 500) - 250));

const nested = (depth: number, inner: unknown, wrap: (value: unknown) => unknown): unknown =>
  times(depth, () => null).reduce<unknown>(wrap, inner);

const loop = (inner: string): string => `{{#each @root.a}}{{#each @root.a}}${inner}{{/each}}{{/each}}`;
const call = (expression: string): string => loop(`{{#if ${expression}}}{{/if}}`);

const row = (name: string, body: string, context: Record<string, unknown> = {}): WorstRender => ({
  name,
  body,
  context: { a: times(500, () => 0), ...context },
});

const deepPath = `@root${".x".repeat(95)}`;
const inRecord = (inner: unknown): unknown => ({ x: inner });
const inList = (inner: unknown): unknown => [inner];
const deepRecord = { x: nested(94, 0, inRecord) };

/** The partials that the renders below include, by key. */
export const WORST_PARTIALS: Readonly<Record<string, string>> = {
  empty: "",
  reads: "{{#if x}}{{/if}}",
  counts: "{{#if (length this)}}{{/if}}",
  writes: "{{#if (json this)}}{{/if}}",
  ...Object.fromEntries(times(31, (i) => [`deep${i}`, i === 30 ? "" : `{{> deep${i + 1}}}`])),
};

/** Every helper and block on the inputs that take it longest, within the limit of a context. */
export const WORST_RENDERS: readonly WorstRender[] = [
  row("json, one long name", call("(json @root.r)"), { r: { ["k".repeat(480_000)]: 0 } }),
  row("json, one long name of quotes", call("(json @root.r)"), { r: { ['"'.repeat(240_000)]: 0 } }),
  row("json, controls", call("(json @root.t)"), { t: "\u0001".repeat(85_000) }),
  row("json, lone surrogates", call("(json @root.t)"), { t: "\ud800".repeat(85_000) }),
  row("json, few lone surrogates", call("(json @root.t)"), { t: "\ud800".repeat(31) }),
  row("json, a list of lone surrogates", call("(json @root.t)"), {
    t: times(2_000, () => "\ud800".repeat(31)),
  }),
  row("json, joined lone surrogates", call('(json (join @root.t ""))'), {
    t: times(150, () => "\ud800".repeat(500)),
  }),
  row("json, quotes", call("(json @root.t)"), { t: '"'.repeat(250_000) }),
  row("json, ASCII", call("(json @root.t)"), { t: "a".repeat(500_000) }),
  row("json, numbers", call("(json @root.t)"), { t: times(200_000, () => 0) }),
  row("json, long numbers", call("(json @root.t)"), { t: doubles(20_000) }),
  row("json, deep and wide", call("(json @root.t 10)"), { t: nested(99, [], inList) }),
  row("json, empty records", call("(json @root.t)"), { t: times(150_000, () => ({})) }),
  row("json, small records", call("(json @root.t)"), { t: times(60_000, () => ({ a: 1 })) }),
  row("json, a large record", call("(json @root.t)"), { t: record(45_000) }),
  row("json, a large record of numbered fields", call("(json @root.t)"), { t: record(40_000, asIndex) }),
  row("eq, written twice", call("(eq (json @root.t) (json @root.t))"), { t: times(1_000, () => 0) }),
  row("eq, long strings", call("(eq @root.t @root.u)"), { t: "a".repeat(250_000), u: "a".repeat(250_000) }),
  row("eq, just below a step", call("(eq @root.t @root.u)"), { t: "é".repeat(1_023), u: "é".repeat(1_023) }),
  row("lt, long strings", call("(lt @root.t @root.u)"), {
    t: `${"é".repeat(120_000)}a`,
    u: `${"é".repeat(120_000)}b`,
  }),
  row("upper, letters that become three", call("(upper @root.t)"), { t: "\u0390".repeat(250_000) }),
  row("upper, ligatures", call("(upper @root.t)"), { t: "\ufb03".repeat(170_000) }),
  row("upper, few letters that become three", call("(upper @root.t)"), { t: "\u0390".repeat(7) }),
  row("upper, one wide letter at the end", call("(upper @root.t)"), { t: `${"a".repeat(480_000)}\u0390` }),
  row("upper, ASCII", call("(upper @root.t)"), { t: "a".repeat(500_000) }),
  row("upper, twice", call("(upper (upper @root.t))"), { t: "\u0390".repeat(250_000) }),
  row("lower, final sigmas", call("(lower @root.t)"), { t: "Σ\u0301".repeat(120_000) }),
  row("lower, one sigma before many marks", call("(lower @root.t)"), { t: `Σ${"\u0301".repeat(240_000)}` }),
  row("lower, one sigma after many marks", call("(lower @root.t)"), { t: `${"\u0301".repeat(240_000)}Σ` }),
  row("lower, dotted capitals", call("(lower @root.t)"), { t: "İ".repeat(250_000) }),
  row("trim, wide spaces", call("(trim @root.t)"), { t: "\u3000".repeat(170_000) }),
  row("trim, just below a step", call("(trim @root.t)"), { t: "\u3000".repeat(127) }),
  row("lookup, a long key", call("(lookup @root.r @root.t)"), {
    r: { ["k".repeat(240_000)]: 0 },
    t: "k".repeat(240_000),
  }),
  row("lookup, a long key made anew", call("(lookup @root.r (trim @root.t))"), {
    r: { ["k".repeat(240_000)]: 0 },
    t: `${"k".repeat(240_000)} `,
  }),
  row("lookup, in a list", call("(lookup @root.a 5)")),
  row("default", call("(default @root.a 5)")),
  row("indent, empty lines", call("(indent @root.t 0)"), { t: "\n".repeat(240_000) }),
  row("indent, short lines", call("(indent @root.t 1)"), { t: "a\n".repeat(160_000) }),
  row("indent, few short lines", call("(indent @root.t 64)"), { t: "a\n".repeat(7) }),
  row("indent, wide short lines", call("(indent @root.t 64)"), { t: "中\n".repeat(6_000) }),
  row("indent, carriage returns", call("(indent @root.t 64)"), { t: "a\r".repeat(160_000) }),
  row("indent, line separators", call("(indent @root.t 64)"), { t: "a\u2028".repeat(120_000) }),
  row("indent, one blank line", call("(indent @root.t 64)"), { t: "\u3000".repeat(170_000) }),
  row("join, numbers", call("(join @root.t)"), { t: times(100_000, () => 0) }),
  row("join, long numbers", call("(join @root.t)"), { t: doubles(20_000) }),
  row("join, a long separator", call("(join @root.t @root.s)"), {
    t: times(100, () => 0),
    s: "x".repeat(7_000),
  }),
  row("join, long wide strings", call('(join @root.t "")'), { t: times(60, () => "中".repeat(2_700)) }),
  row("join, short strings", call('(join @root.t "")'), { t: ["a", "b"] }),
  row("length, a large record", call("(length @root.b)"), { b: record(45_000) }),
  row("length, a small record", call("(length @root.b)"), { b: record(16, asIndex) }),
  row("each, a large record", loop("{{#each @root.b}}{{/each}}"), { b: record(45_000) }),
  row("each, a small record", loop("{{#each @root.b}}{{/each}}"), { b: record(2) }),
  row("each, a large record of numbered fields", loop("{{#each @root.b}}{{/each}}"), {
    b: record(30_000, asBigIndex),
  }),
  ...[3, 100, 500, 1_000, 45_000].map((fields) =>
    row(`partial, ${fields} fields and one`, loop("{{> reads @root.b x=1}}"), { b: record(fields) }),
  ),
  ...[3, 100, 1_000, 30_000].map((fields) =>
    row(`partial, ${fields} numbered fields and one`, loop("{{> reads @root.b x=1}}"), {
      b: record(fields, asBigIndex),
    }),
  ),
  row("partial, fields laid over and counted", loop("{{> counts @root.b x=1}}"), { b: record(20_000) }),
  row("partial, fields laid over and written", loop("{{> writes @root.b x=1}}"), { b: record(50) }),
  row("partial, many names", loop(`{{> empty 0 ${times(3_000, (i) => `n${i}=1`).join(" ")}}}`)),
  row("partial, empty", loop("{{> empty}}")),
  row("partials, deep", loop("{{> deep0}}")),
  row("a deep path", call(deepPath), deepRecord),
  row("many deep paths", call(`(and ${`${deepPath} `.repeat(100)})`), deepRecord),
  row("with, deep", loop("{{#with @root}}".repeat(50) + "{{/with}}".repeat(50))),
  row("and, many arguments", call(`(and ${"1 ".repeat(1_000)})`)),
  row("printing numbers, and long ones", loop("{{this}}{{#each @root.d}}{{this}}{{/each}}"), {
    d: doubles(20_000),
  }),
  row("text", loop("{{#if 1}}a{{/if}}b{{#if 1}}c{{/if}}")),
  row("nothing", loop("")),
];
