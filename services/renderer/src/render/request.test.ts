import { LIMITS } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { readRequest } from "./request.ts";

const codeOf = (body: unknown) => {
  const read = readRequest("a", body);
  return read.ok ? "ok" : read.problem.code;
};

const MANY = Array.from({ length: LIMITS.pins + 1 }, (_, at) => at);

describe("a render request", () => {
  it("may be empty: production, no context, any state", () => {
    expect(readRequest("a", {})).toEqual({
      ok: true,
      value: {
        wanted: { key: "a", fallbackKeys: [], version: null, label: "production", pins: new Map() },
        context: {},
        refuseExtra: false,
        minSeq: 0,
        timeoutMs: 2000,
      },
    });
  });

  it("keeps version 0 apart from no version", () => {
    expect(readRequest("a", { version: 0 })).toMatchObject({ value: { wanted: { version: 0 } } });
  });

  it("keeps a pin of the key __proto__", () => {
    const read = readRequest("a", JSON.parse('{"pins":{"__proto__":3}}'));
    expect(read.ok && [...read.value.wanted.pins]).toEqual([["__proto__", 3]]);
  });

  it.each([
    ["both a label and a version", { label: "staging", version: 1 }, "bad_request"],
    ["a field that is none of ours", { contxt: {} }, "bad_request"],
    ["a context that is no object", { context: [] }, "bad_request"],
    ["a label that is none", { label: "Production" }, "bad_request"],
    ["something other than an object", "text", "bad_request"],
    ["a fallback that is no key", { fallbackKeys: ["b", "../c"] }, "bad_key"],
    ["a pin that is no key", { pins: { "a..b": 1 } }, "bad_key"],
    ["a pin that is no version", { pins: { a: "1" } }, "bad_request"],
    ["too many pins", { pins: Object.fromEntries(MANY.map((n) => [`k${n}`, 1])) }, "bad_request"],
  ])("is refused with %s", (_, body, code) => {
    expect(codeOf(body)).toBe(code);
  });

  it("is refused with a context over the limit, counted in bytes of UTF-8 as JSON", () => {
    const overhead = '{"x":""}'.length;
    const fits = "é".repeat((LIMITS.contextBytes - overhead) / 2);
    expect(codeOf({ context: { x: fits } })).toBe("ok");
    expect(codeOf({ context: { x: `${fits}.` } })).toBe("too_large");
  });
});
