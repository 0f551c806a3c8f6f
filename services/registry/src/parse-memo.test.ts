import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { nodePrimitives } from "@incipit/bus";
import { parseTemplate } from "@incipit/templates";
import { expect, test } from "vitest";
import type { Parse } from "./domain/language.ts";
import { memoizeParse } from "./parse-memo.ts";

/** A memo on the real parser, which counts what is parsed. */
function countedMemo() {
  let parsed = 0;
  const parse: Parse = (body, syntax) => {
    parsed++;
    return parseTemplate(body, syntax);
  };
  return { memo: memoizeParse(parse, nodePrimitives), parsed: () => parsed };
}

/** Live bytes, once what nobody holds is gone. */
function liveBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

const manyIncludes = (i: number) => "{{>a}}".repeat(25_000) + String(i);

test("what was parsed is not parsed again, refusals and the largest body included", () => {
  const { memo, parsed } = countedMemo();
  for (const body of ["{{> some/partial/of/mine}}", "{{#if}}", manyIncludes(0)]) {
    const expected = parseTemplate(body, "handlebars");
    const before = parsed();
    for (let time = 0; time < 3; time++) {
      const result = memo(body, "handlebars");
      if (!result.ok || !expected.ok) expect(result).toEqual(expected);
      else
        expect(result.value.includes[0]).toEqual(
          expect.objectContaining({ key: expected.value.partials[0] }),
        );
    }
    expect(parsed()).toBe(before + 1);
  }
  memo("{{> some/partial/of/mine}}", "plain");
  expect(parsed()).toBe(4);
});

test("what is remembered is bounded in bytes, whatever the bodies are made of", () => {
  const { memo } = countedMemo();
  const before = liveBytes();
  for (let i = 0; i < 5; i++) memo(manyIncludes(i), "handlebars");
  for (let i = 0; i < 150; i++) memo(`{{> some/partial/of/mine}}${"x".repeat(250_000)}${i}`, "handlebars");
  // Without a bound the first take 26 MB; where keys keep their bodies in memory, the others take 37 MB.
  expect((liveBytes() - before) / 1_000_000).toBeLessThan(20);
  expect(memo("x", "plain").ok).toBe(true);
}, 30_000);

test("what has gone unused the longest goes first", () => {
  const { memo, parsed } = countedMemo();
  const body = (i: number) => "{{> some/partial/of/mine}}\n".repeat(9_000) + String(i);
  memo("popular", "handlebars");
  for (let i = 0; i < 15; i++) {
    memo(body(i), "handlebars");
    memo("popular", "handlebars");
  }
  expect(parsed()).toBe(16);
  memo(body(14), "handlebars");
  expect(parsed()).toBe(16);
  memo(body(0), "handlebars");
  expect(parsed()).toBe(17);
}, 30_000);
