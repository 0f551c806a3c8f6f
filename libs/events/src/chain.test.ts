import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "./catalogue.ts";
import {
  admit,
  CHAIN_START,
  readRecord,
  type ChainState,
  type Fault,
  type LogRecord,
  type Primitives,
} from "./chain.ts";
import { createSubjects, HEADERS } from "./subjects.ts";

const primitives: Primitives = {
  sha256: (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex"),
  decodeUtf8: (bytes) => {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  },
};
const options = { primitives, subjects: createSubjects() };

/** Every shape an event ever had, as it was stored; a file here is never changed. */
type Golden = { subject: string; payload: string; chain: ChainState; event: PromptEvent };
const folder = new URL("../golden/", import.meta.url);
const golden = readdirSync(folder)
  .toSorted()
  .map((name) => ({ name, ...(JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Golden) }));

const record = (at: number, change: Partial<LogRecord> = {}): LogRecord => {
  const { subject, payload } = golden[at] as Golden;
  return { seq: at + 1, subject, payload: new TextEncoder().encode(payload), headers: {}, ...change };
};
const chainBefore = (at: number) => golden[at - 1]?.chain ?? CHAIN_START;

describe("every event ever stored", () => {
  it.each(golden.map((file, at) => ({ ...file, at })))(
    "is read and chained as it was: $name",
    ({ at, event, chain }) => {
      const admission = admit(record(at), chainBefore(at), options);
      expect(admission).toMatchObject({ status: "event", event, chain });
    },
  );
});

describe("a message is rejected", () => {
  const rejects = (change: Partial<LogRecord>, fault: Fault, reason: RegExp, chain = chainBefore(1)) => {
    const admission = admit(record(1, change), chain, options);
    expect(admission).toMatchObject({
      status: "rejected",
      fault,
      reason: expect.stringMatching(reason) as string,
    });
  };
  const payload = (change: (envelope: Record<string, unknown>) => void) => {
    const envelope = JSON.parse((golden[1] as Golden).payload) as Record<string, unknown>;
    change(envelope);
    return { payload: new TextEncoder().encode(JSON.stringify(envelope)) };
  };

  it("that is not UTF-8", () =>
    rejects({ payload: new Uint8Array([0x7b, 0xff, 0x7d]) }, "content", /not UTF-8/));
  it("that is not JSON", () => rejects({ payload: new TextEncoder().encode("{") }, "content", /not JSON/));
  it("that is no envelope", () =>
    rejects({ payload: new TextEncoder().encode("[]") }, "content", /not an envelope/));
  it("with a field more", () =>
    rejects(
      payload((e) => (e["extra"] = 1)),
      "content",
      /not an envelope/,
    ));
  it("that skips an index", () =>
    rejects(
      payload((e) => (e["index"] = 3)),
      "chain",
      /index 3 does not follow 1/,
    ));
  it("that repeats an earlier one", () =>
    rejects({}, "chain", /index 2 does not follow 3/, (golden[2] as Golden).chain));
  it("whose prev is another", () =>
    rejects(
      payload((e) => (e["prev"] = "0".repeat(64))),
      "chain",
      /prev does not match/,
    ));
  it("whose data is of another shape", () =>
    rejects(
      payload((e) => (e["data"] = { key: "a" })),
      "content",
      /not a TemplateAdded/,
    ));
  it("on the subject of another key", () =>
    rejects({ subject: "prompt.log.version.1.support.other" }, "content", /belongs on this subject/));
  it("whose body is not the one that its hash was made of", () => {
    const other = payload((e) => ((e["data"] as { body: string }).body += "!"));
    rejects(other, "content", /hash does not match the body/);
    expect(readRecord(record(1, other), options)).toMatchObject({ status: "rejected" });
  });
  it("without the signature that is asked for", () => {
    const checked = {
      ...options,
      checkSignature: (_: string, header?: string) => (header === undefined ? "unsigned" : null),
    };
    expect(admit(record(0), CHAIN_START, checked)).toEqual({
      status: "rejected",
      reason: "unsigned",
      fault: "signature",
    });
    const signed = record(0, { headers: { [HEADERS.signature]: "key.signature" } });
    expect(admit(signed, CHAIN_START, checked).status).toBe("event");
    expect(readRecord(record(0), checked)).toEqual({
      status: "rejected",
      reason: "unsigned",
      fault: "signature",
    });
  });
});

describe("a well-chained message of a later release", () => {
  it.each([
    ["type", "TemplateArchived"],
    ["v", 2],
  ])("counts in the chain and is not applied: %s %s", (field, value) => {
    const envelope = { ...(JSON.parse((golden[1] as Golden).payload) as object), [field]: value };
    const admission = admit(
      record(1, { payload: new TextEncoder().encode(JSON.stringify(envelope)) }),
      chainBefore(1),
      options,
    );
    expect(admission).toMatchObject({ status: "newer", chain: { index: 2 } });
  });

  it("is told from an object's own members", () => {
    const envelope = { ...(JSON.parse((golden[1] as Golden).payload) as object), type: "constructor" };
    const bytes = new TextEncoder().encode(JSON.stringify(envelope));
    expect(admit(record(1, { payload: bytes }), chainBefore(1), options).status).toBe("newer");
  });
});

it("notices any change of any byte of a stored message once a next one follows", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (position, flip) => {
      const bytes = record(1).payload.slice();
      bytes[position % bytes.length] = (bytes[position % bytes.length] ?? 0) ^ flip;
      const first = admit(record(1, { payload: bytes }), chainBefore(1), options);
      const chain = first.status === "rejected" ? chainBefore(1) : first.chain;
      expect(admit(record(2), chain, options).status).toBe("rejected");
    }),
    { numRuns: 500 },
  );
});

it("reads any bytes without throwing", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (bytes, subject) => {
      expect(admit({ seq: 1, subject, payload: bytes, headers: {} }, CHAIN_START, options).status).toBe(
        "rejected",
      );
    }),
  );
});

it.each([
  [
    "the config",
    (payload: string, deep: string) => payload.replace('"config":null', `"config":{"x":${deep}}`),
    "rejected",
  ],
  [
    "a field more",
    (payload: string, deep: string) => payload.replace('"data":{', `"data":{"extra":${deep},`),
    "rejected",
  ],
  [
    "the data of a type that is not known",
    (payload: string, deep: string) =>
      payload.replace('"TemplateAdded"', '"Later"').replace('"data":{', `"data":{"extra":${deep},`),
    "newer",
  ],
])("reads %s nested 100,000 deep without throwing", (_, spoil, status) => {
  const { payload } = golden[0] as Golden;
  const spoilt = spoil(payload, "[".repeat(100_000) + "]".repeat(100_000));
  expect(spoilt).not.toBe(payload);
  const bytes = new TextEncoder().encode(spoilt);
  expect(admit(record(0, { payload: bytes }), CHAIN_START, options).status).toBe(status);
});
