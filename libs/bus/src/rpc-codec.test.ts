import { LIMITS } from "@incipit/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBody, encodeBody, headerLine } from "./rpc-codec.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (payload: Uint8Array) => decodeBody(payload, "The request");
const refusal = (payload: Uint8Array) => {
  const result = read(payload);
  return result.ok ? null : result.problem;
};

describe("a body", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(read(encodeBody(value))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  it("of nothing is no JSON", () => {
    expect(refusal(new Uint8Array())?.message).toContain("a value is expected");
  });

  it("of an undefined value is null", () => {
    expect(new TextDecoder().decode(encodeBody(undefined))).toBe("null");
  });

  it("may name a field like a prototype, and changes none by it", () => {
    const result = read(bytes('{"__proto__": {"polluted": true}, "constructor": 1}'));
    const value = result.ok ? (result.value as object) : {};
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("polluted");
  });

  it("may be nested to the limit and no further, however much of it there is", () => {
    const nested = (depth: number) => bytes("[".repeat(depth) + "]".repeat(depth));
    expect(read(nested(LIMITS.jsonDepth)).ok).toBe(true);
    expect(refusal(nested(LIMITS.jsonDepth + 1))).toMatchObject({
      code: "bad_request",
      message: "The request is nested deeper than 100 levels at line 1, column 101.",
    });
    expect(refusal(nested(400_000))?.message).toContain("nested deeper");
    expect(read(bytes(JSON.stringify({ text: "[{".repeat(1000) }))).ok).toBe(true);
  });

  it("that is no JSON is refused with the place, and not quoted", () => {
    expect(refusal(bytes('{\n  "context": secret\n}'))).toEqual({
      code: "bad_request",
      status: 400,
      message: "The request is not JSON: at line 2, column 14, a value is expected.",
      line: 2,
      column: 14,
    });
  });

  it("that begins with a byte order mark is refused by that name", () => {
    expect(refusal(bytes("\uFEFF{}"))?.message).toContain("byte order mark");
  });

  it("that is not UTF-8 is refused with the first byte that is wrong", () => {
    const message = (...payload: number[]) => refusal(Uint8Array.from(payload))?.message;
    expect(message(0xff)).toBe("The request is not UTF-8: byte 1 is wrong.");
    expect(message(0x22, 0xc3, 0xa9, 0xc3, 0x22)).toBe("The request is not UTF-8: byte 5 is wrong.");
    expect(message(0x22, 0x61, 0xed, 0xa0, 0x80, 0x22)).toBe("The request is not UTF-8: byte 4 is wrong.");
    // Cut off within a character: nothing is wrong but the end.
    expect(message(0x22, 0xe2, 0x82)).toBe("The request is not UTF-8: byte 3 is wrong.");
  });

  it("of any bytes is read or refused, never thrown at", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (payload) => {
        const result = read(payload);
        expect(result.ok || result.problem.code === "bad_request").toBe(true);
      }),
    );
  });
});

it("a message in a header is one line of printable ASCII, and not long", () => {
  expect(headerLine("no\r\nsuch\tkey: “é”\u0000")).toBe("no such key: ????");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1000 }), (message) => {
      expect(headerLine(message)).toMatch(/^[\x20-\x7e]{0,300}$/);
    }),
  );
});
