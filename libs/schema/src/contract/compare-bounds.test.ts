import { expect, it } from "vitest";
import { compare, object, parse, text } from "../../testing/compare.ts";
import { compareContracts } from "./compare.ts";

it("takes time by the size of unions in unions, not by the ways through them", () => {
  const nest = (depth: number): object =>
    depth === 0
      ? text
      : { anyOf: [1, 2, 3].map((tag) => object({ tag: { const: tag }, [`v${tag}`]: nest(depth - 1) })) };
  const contract = parse(object({ u: nest(5) }));
  expect(compareContracts(contract, contract)).toEqual({ narrowed: [], widened: [], added: [], shown: [] });
});

it.each<[string, (size: number) => object]>([
  [
    "lists of themselves",
    () => ({
      L0: { anyOf: [{ type: "array", items: { $ref: "#/$defs/L0" } }, text, { type: "array", items: text }] },
    }),
  ],
  [
    "circles of different lengths",
    (size) =>
      Object.fromEntries(
        Array.from({ length: size }, (_, i) => [
          `L${i}`,
          object({ next: { $ref: `#/$defs/L${(i + 1) % size}` } }, []),
        ]),
      ),
  ],
  [
    "definitions that double",
    () =>
      Object.fromEntries(
        Array.from({ length: 200 }, (_, i) => [
          `L${i}`,
          i === 199 ? text : object({ a: { $ref: `#/$defs/L${i + 1}` }, b: { $ref: `#/$defs/L${i + 1}` } }),
        ]),
      ),
  ],
])("ends on %s", (_, $defs) => {
  const of = (size: number) => ({ ...object({ v: { $ref: "#/$defs/L0" } }), $defs: $defs(size) });
  expect(compare(of(230), of(229))).toEqual({ narrowed: [], widened: [], added: [], shown: [] });
});

it("tells of what is narrowed in a shape that is met both as it was and as it becomes", () => {
  const X = { $ref: "#/$defs/X" };
  const of = (v: object, z: object) => ({
    ...object({ v, w: { $ref: "#/$defs/X2" } }),
    $defs: { X: object({ z: text, x: X }, ["z"]), X2: object({ z, x: { $ref: "#/$defs/X2" } }, ["z"]) },
  });
  const before = of(object({ f: X }), text);
  const after = of({ anyOf: [object({ f: { $ref: "#/$defs/X2" } }), object({ f: X })] }, { type: "number" });
  expect(compare(before, after).narrowed.map(({ path }) => path)).toContain("w.z");
});
