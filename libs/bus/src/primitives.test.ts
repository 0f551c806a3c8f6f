import { expect, test } from "vitest";
import { nodePrimitives } from "./primitives.ts";

test("sha256 takes parts as one text, strings as UTF-8", () => {
  const bytes = new TextEncoder().encode("b€");
  expect(nodePrimitives.sha256("a", bytes)).toBe(nodePrimitives.sha256("ab€"));
  expect(nodePrimitives.sha256()).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("decoding is strict and keeps a byte order mark", () => {
  expect(nodePrimitives.decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\uFEFFa");
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
    expect(nodePrimitives.decodeUtf8(Uint8Array.from(bytes))).toBeNull();
  expect(nodePrimitives.decodeUtf8(new Uint8Array())).toBe("");
});
