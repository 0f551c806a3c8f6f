import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldKey, isKey, parseKey } from "./keys.ts";

const segments = (n: number) => Array.from({ length: n }, () => "a").join("/");

describe("a key", () => {
  it.each([
    "a",
    "support/triage",
    "CHAT_MAIN",
    "_partials/emit-howto",
    "0/1",
    segments(16),
    "a".repeat(200),
    "new",
    "metrics",
  ])("may be %s", (key) => expect(parseKey(key)).toEqual({ ok: true, value: key }));

  it.each([
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "../x",
    "a/../b",
    "a.b",
    "*",
    ">",
    "a/*",
    "a/>",
    "a b",
    " a",
    "a\n",
    "a\u0000",
    "a\u001b[2J",
    "-a",
    "$JS",
    "a:b",
    "a?b",
    "a%2Fb",
    "team\\faq",
    "аdmin", // a Cyrillic look-alike
    "ｆaq", // a full-width letter
    "café",
    "cafe\u0301",
    "a\u200bb",
    "\u212a", // the Kelvin sign, which lower-cases to k
    segments(17),
    "a".repeat(201),
  ])("is refused as bad_key: %j", (text) => {
    const refusal = parseKey(text);
    expect(refusal).toMatchObject({ ok: false, problem: { code: "bad_key", status: 400 } });
  });

  it("that is refused is named in the message, cut where it is long, with control characters escaped", () => {
    const refusal = parseKey(`a\u0007${"b".repeat(500)}`);
    expect(refusal.ok ? "" : refusal.problem.message).toMatch(/^"a\\u0007b+…" is not a key: /);
  });

  it("never holds what NATS or a file system reads as something else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        if (isKey(text)) expect(text).toMatch(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/);
      }),
    );
  });

  it("folds to one form whatever its case", () => {
    expect(foldKey("Support/Triage")).toBe(foldKey("support/TRIAGE"));
  });
});
