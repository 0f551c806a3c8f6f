import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Length } from "./limits.ts";

it("counts the bytes that a string takes in UTF-8, lone surrogates as their replacement", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (a, b) => {
      const text = `${a}\ud800${b}\udc00`;
      expect(utf8Length(text)).toBe(Buffer.byteLength(text, "utf8"));
    }),
  );
});
