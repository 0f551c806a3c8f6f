import { headers as createHeaders, MsgHdrsImpl } from "nats";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sizeOnWire } from "./message-size.ts";

it("counts headers as the client sends them", () => {
  const names = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,8}$/);
  const values = fc.array(
    fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text)),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  fc.assert(
    fc.property(fc.dictionary(names, values, { minKeys: 1 }), fc.nat(100), (entries, length) => {
      const headers = createHeaders();
      for (const [name, each] of Object.entries(entries))
        for (const value of each) headers.append(name, value);
      if (!(headers instanceof MsgHdrsImpl)) throw new Error("another implementation of headers");
      expect(sizeOnWire(new Uint8Array(length), headers)).toBe(length + headers.encode().length);
    }),
  );
});
