import { parseKey } from "@incipit/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSubjects, keyToTokens, tokensToKey } from "./subjects.ts";

const subjects = createSubjects("acme");
const segment = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,8}$/);
const key = fc.array(segment, { minLength: 1, maxLength: 16 }).map((parts) => parts.join("/"));

describe("a key on the bus", () => {
  it("goes there and back", () => {
    fc.assert(fc.property(key, (k) => void expect(tokensToKey(keyToTokens(k))).toEqual(parseKey(k))));
  });

  it.each(["", ".", "a..b", ".a", "a.", "a/b", "a b", "*", ">", "a.*", "a.>", "$SYS", "é", "a.\u0000"])(
    "is refused as bad_key: %j",
    (tokens) => expect(tokensToKey(tokens)).toMatchObject({ ok: false, problem: { code: "bad_key" } }),
  );
});

describe("a log subject", () => {
  it("goes there and back, whatever the key", () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 1, max: 999_999_999 }), (k, version) => {
        expect(subjects.parseLog(subjects.logVersion(k, version))).toEqual({
          kind: "version",
          key: k,
          version,
        });
        expect(subjects.parseLog(subjects.logSeed(k))).toEqual({ kind: "seed", key: k });
        expect(subjects.parseLog(subjects.logActive(k, "staging"))).toEqual({
          kind: "active",
          key: k,
          label: "staging",
        });
      }),
    );
  });

  it.each([
    "acme.log",
    "acme.log.",
    "other.log.now.seed.a",
    "acme.log.now.seed",
    "acme.log.now.active.production",
    "acme.log.now.active.3.a",
    "acme.log.version.0.a",
    "acme.log.version.01.a",
    "acme.log.version.x.a",
    "acme.log.now.contract.a.b",
    "acme.log.now.other.a",
    "acme.log.now.seed.a b",
  ])("is refused: %j", (subject) => expect(subjects.parseLog(subject)).toBeNull());

  it("is republished under the live prefix", () => {
    expect(subjects.liveOf(subjects.logSeed("a/b"))).toBe("acme.live.now.seed.a.b");
  });
});

describe("a request subject", () => {
  it("of a command names actor, verb and key", () => {
    expect(subjects.parseCommand(subjects.command("alice", "add", "a/b"))).toEqual({
      ok: true,
      value: { actor: "alice", verb: "add", key: "a/b" },
    });
  });

  it.each([
    ["acme.cmd.al$ice.add.a", "bad_request"],
    ["acme.cmd.alice", "bad_request"],
    ["acme.cmd.alice.add", "bad_key"],
    ["acme.cmd.alice.add.a..b", "bad_key"],
    [`acme.cmd.${"a".repeat(101)}.add.a`, "bad_request"],
  ])("of a command is refused: %s", (subject, code) => {
    expect(subjects.parseCommand(subject)).toMatchObject({ ok: false, problem: { code } });
  });

  it("of a query may go without a key", () => {
    expect(subjects.parseQuery(subjects.query("status"))).toEqual({
      ok: true,
      value: { verb: "status", key: null },
    });
    expect(subjects.parseQuery(subjects.query("get", "a/b"))).toEqual({
      ok: true,
      value: { verb: "get", key: "a/b" },
    });
    expect(subjects.parseQuery("acme.query.get.a b")).toMatchObject({
      ok: false,
      problem: { code: "bad_key" },
    });
  });

  it("of a render names the key", () => {
    expect(subjects.parseRender(subjects.render("a/b"))).toEqual({ ok: true, value: "a/b" });
  });
});
