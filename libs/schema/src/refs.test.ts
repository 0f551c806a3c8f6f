import { describe, expect, it } from "vitest";
import { parseRef, type Ref } from "./refs.ts";

describe("a ref", () => {
  it.each<[string, Ref]>([
    ["a/b", { key: "a/b" }],
    ["a/b@3", { key: "a/b", version: 3 }],
    ["a/b@0", { key: "a/b", version: 0 }],
    ["a/b@staging", { key: "a/b", label: "staging" }],
  ])("%s is read", (text, ref) => {
    expect(parseRef(text)).toEqual({ ok: true, value: ref });
  });

  it.each(["a@", "a@03", "a@-1", "a@Staging", "a@1.5", "a@b@c", "a@9999999999"])(
    "%s has a malformed pointer",
    (text) => {
      expect(parseRef(text)).toMatchObject({ ok: false, problem: { code: "bad_request" } });
    },
  );

  it.each(["@3", "a b@3", "../a"])("%s has a malformed key", (text) => {
    expect(parseRef(text)).toMatchObject({ ok: false, problem: { code: "bad_key" } });
  });
});
