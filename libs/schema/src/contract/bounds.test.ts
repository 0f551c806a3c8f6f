import { expect, it } from "vitest";
import { LIMITS } from "../limits.ts";
import type { Json, JsonObject } from "../template.ts";
import { compareContracts } from "./compare.ts";
import { parseContract } from "./parse-contract.ts";
import { writeContractTypes } from "./types-text.ts";
import { createValidator } from "./validator.ts";

const field = (type: object) => ({ description: "d", ...type });
const object = (properties: Record<string, object>, rest: object = {}) => ({
  type: "object",
  properties,
  ...rest,
});
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const byName = (count: number, make: (i: number) => object, prefix = "f") =>
  Object.fromEntries(times(count, (i) => [`${prefix}${i}`, make(i)]));
const ref = (name: string) => field({ $ref: `#/$defs/${name}` });

function parse(document: unknown) {
  const parsed = parseContract("c", document);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}
const refusal = (
  result: { ok: true } | { ok: false; problem: { code: string; message: string; path?: string } },
) => (result.ok ? expect.fail("it was accepted") : result.problem);

/** Long enough for a slow machine; what these refuse took minutes, or never ended. */
const SOON = 2_000;

it(
  "definitions that lead through each other are followed up to the limit, by all that reads a contract",
  { timeout: SOON },
  () => {
    const chain = (count: number) =>
      object(
        { a: ref("D0") },
        {
          $defs: byName(
            count,
            (i) =>
              i === count - 1 ? object({ a: field({ type: "string" }) }) : object({ a: ref(`D${i + 1}`) }),
            "D",
          ),
        },
      );
    const most = LIMITS.contractLevels / 2;
    const contract = parse(chain(most));
    expect(createValidator(contract)({}).ok).toBe(true);
    expect(compareContracts(contract, parse(chain(most))).narrowed).toEqual([]);
    expect(writeContractTypes(contract)).toContain("a?:");
    const over = refusal(parseContract("c", chain(most + 1)));
    expect(over).toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/contractLevels/) as string,
    });
  },
);

it("a document is refused that did not come out of JSON, or would not come back from it", () => {
  const circle: Record<string, unknown> = { type: "object" };
  circle["properties"] = { a: circle };
  expect(refusal(parseContract("c", circle)).code).toBe("too_large");
  for (const value of [
    1n,
    () => 1,
    Symbol("s"),
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Date(0),
    Object.assign([1], { length: 2 }),
    new Map(),
  ]) {
    const problem = refusal(parseContract("c", object({ a: field({ type: "string", default: value }) })));
    expect(problem).toMatchObject({ code: "bad_request", path: "properties.a.default" });
  }
  for (const [path, text] of [
    ["properties", '{"type":"object","properties":{"__proto__":{"type":"string","description":"d"}}}'],
    ["$defs", '{"type":"object","properties":{},"$defs":{"__proto__":{"type":"string"}}}'],
    [
      "properties.a.default",
      '{"type":"object","properties":{"a":{"type":"object","default":{"__proto__":1}}}}',
    ],
  ] as const)
    expect(refusal(parseContract("c", JSON.parse(text)))).toMatchObject({
      path,
      message: expect.stringMatching(/__proto__/) as string,
    });
});

it("unions in unions do not come to more members than one may list", () => {
  const inner = byName(
    9,
    (i) => ({ anyOf: times(20, (j) => ({ type: "array", items: { const: `${i} ${j}` } })) }),
    "U",
  );
  const document = object({ a: field({ anyOf: times(9, (i) => ref(`U${i}`)) }) }, { $defs: inner });
  expect(refusal(parseContract("c", document))).toMatchObject({
    path: "a",
    message: expect.stringMatching(/100 schemas/) as string,
  });
});

it("a refusal stays short, however long the names and constants are", () => {
  const long = "k".repeat(200_000);
  const document = object({ [long]: object(byName(100, () => ({ type: "x" }))) });
  const first = refusal(parseContract("c", document));
  const constants = parse(
    object({
      a: field({ anyOf: [{ const: long }, { type: "null" }] }),
      r: field({
        type: "object",
        additionalProperties: { type: "object", additionalProperties: { type: "string" } },
      }),
    }),
  );
  const second = refusal(
    createValidator(constants)({ a: "x", r: { [long]: Object.fromEntries(times(100, (i) => [i, 1])) } }),
  );
  for (const problem of [first, second]) {
    expect(problem.message.length).toBeLessThan(6_000);
    expect(problem.path?.length ?? 0).toBeLessThanOrEqual(200);
  }
});

it(
  "a context that is wrong only at the bottom of unions in unions is refused soon",
  { timeout: SOON },
  () => {
    const variant = (title: string) =>
      object({ next: ref("A"), v: field({ type: "string" }) }, { title, required: ["v"] });
    const validate = createValidator(
      parse(object({ a: ref("A") }, { $defs: { A: { anyOf: [variant("X"), variant("Y"), variant("Z")] } } })),
    );
    const nested = (bottom: JsonObject) =>
      times(90, () => 0).reduce<Json>((next) => ({ v: "s", next }), bottom);
    expect(validate({ a: nested({ v: "s" }) }).ok).toBe(true);
    expect(refusal(validate({ a: nested({ v: 1 }) })).message).toMatch(
      /…: must be a string, and is a number/,
    );
    // The same object at two places: each fault is told with its own path.
    const wrong: Json = { v: 1 };
    const two = createValidator(
      parse(object({ a: ref("A"), b: ref("A") }, { $defs: { A: { anyOf: [variant("X"), variant("Y")] } } })),
    );
    expect(refusal(two({ a: wrong, b: wrong })).message).toMatch(/a\.v: must be .*b\.v: must be /);
  },
);

it("a context that takes too many looks is refused by the limit", { timeout: SOON }, () => {
  const many = parse(
    object({ a: field({ type: "array", items: object(byName(1_000, () => field({ type: "null" }))) }) }),
  );
  const empty = times(100_000, () => ({}));
  expect(refusal(createValidator(many)({ a: empty }))).toMatchObject({ code: "limit_exceeded" });
  const members = times(100, (i) =>
    object(
      byName(20, (j) => field({ const: `${i} ${j}` })),
      { title: `T${i}` },
    ),
  );
  const union = parse(object({ a: field({ type: "array", items: { anyOf: members } }) }));
  expect(refusal(createValidator(union)({ a: empty }))).toMatchObject({ code: "limit_exceeded" });
});

it("a context of a recursive contract that nests deeper than JSON may is refused", () => {
  const validate = createValidator(parse(object({ a: ref("A") }, { $defs: { A: object({ a: ref("A") }) } })));
  const nested = (depth: number) => times(depth, () => 0).reduce<JsonObject>((a) => ({ a }), {});
  expect(validate(nested(LIMITS.jsonDepth - 1)).ok).toBe(true);
  expect(refusal(validate(nested(20_000))).message).toMatch(/nests deeper than 100 levels/);
});

it("a context of eighty fields is judged in microseconds", () => {
  const kinds = [
    field({ anyOf: [{ type: "string" }, { type: "null" }] }),
    field({ enum: ["a", "b", "c"] }),
    field({ type: "integer" }),
    field(object({ n: field({ type: "string" }) }, { required: ["n"] })),
  ];
  const values: Json[] = ["s", "c", 3, { n: "x" }];
  const validate = createValidator(parse(object(byName(80, (i) => kinds[i % 4] ?? {}))));
  const context = Object.fromEntries(times(80, (i) => [`f${i}`, values[i % 4] ?? null]));
  const runs = 5_000;
  const rounds = times(3, () => {
    const start = performance.now();
    for (let i = 0; i < runs; i++) validate(context);
    return ((performance.now() - start) * 1_000) / runs;
  });
  // About 8 µs; a busy machine is given twelve times as much.
  expect(Math.min(...rounds)).toBeLessThan(100);
});

it("a default that holds itself is no deeper than a context may be, wherever it stands", () => {
  const node = {
    anyOf: [object({ a: { ...ref("N"), default: {} } }), object({ b: field({ type: "string" }) })],
  };
  const contract = parse(object({ x: ref("N"), y: ref("N") }, { $defs: { N: node } }));
  const nest = (depth: number): JsonObject => (depth === 0 ? {} : { a: nest(depth - 1) });
  const result = createValidator(contract)({ x: {}, y: nest(60) });
  const depthOf = (value: Json | undefined): number =>
    typeof value !== "object" || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
  expect(result.ok && depthOf(result.value)).toBeLessThanOrEqual(LIMITS.jsonDepth);
  expect(result.ok && depthOf(result.value)).toBeGreaterThan(90);
});
