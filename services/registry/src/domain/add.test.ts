// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import { describe, expect, test } from "vitest";
import { activated, added, deactivated, NOON } from "../../testing/records.ts";
import { activate, add, seed } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";

const partial = { kind: "partial" as const };

describe("numbering", () => {
  test("the first version of a key is 1", () => {
    given()
      .when(add("a", "x"))
      .thenAppends(added("a", 1, "x"));
  });

  test("the next is one above the highest there ever was, whatever is active", () => {
    given(added("a", 1, "x"), added("a", 2, "y"), activated("a", 1))
      .when(add("a", "z"))
      .thenAppends(added("a", 3, "z"));
  });

  test("a seed is no stored version", () => {
    given(added("a", 0, "seed"))
      .when(add("a", "x"))
      .thenAppends(added("a", 1, "x"));
  });

  test("a body that was stored before, but is not the newest, is a new version", () => {
    given(added("a", 1, "x"), added("a", 2, "y"))
      .when(add("a", "x"))
      .thenAppends(added("a", 3, "x"));
  });
});

describe("settings", () => {
  test("what is left out is inherited from the newest version", () => {
    const settings = { syntax: "slots" as const, tags: ["t"], config: { m: 1 }, onError: "degrade" as const };
    given(added("a", 1, "x", settings))
      .when(add("a", "y", { settings: { tags: [] } }))
      .thenAppends(added("a", 2, "y", { ...settings, tags: [] }));
  });

  test("without a stored version it is inherited from the seed", () => {
    given(added("a", 0, "x", { syntax: "plain" }))
      .when(add("a", "{{"))
      .thenAppends(added("a", 1, "{{", { syntax: "plain" }));
  });

  test("null takes the config away", () => {
    given(added("a", 1, "x", { config: { m: 1 } }))
      .when(add("a", "x", { settings: { config: null } }))
      .thenAppends(added("a", 2, "x"));
  });
});

describe("unchanged", () => {
  test("body and settings of the newest version: nothing is appended, and the reply names it", () => {
    given(added("a", 1, "x"))
      .when(add("a", "x"))
      .thenReply({ version: 1, seq: 1, created: NOON, unchanged: true, activated: null }, false);
  });

  test("the order of a config's fields is no change", () => {
    given(added("a", 1, "x", { config: { m: 1, n: 2 } }))
      .when(add("a", "x", { settings: { config: { n: 2, m: 1 } } }))
      .thenReply({ version: 1, unchanged: true });
  });

  test("other settings are a change", () => {
    given(added("a", 1, "x"))
      .when(add("a", "x", { settings: { tags: ["t"] } }))
      .thenAppends(added("a", 2, "x", { tags: ["t"] }));
  });

  test("what is unchanged is still activated if it is not yet", () => {
    given(added("a", 1, "x"))
      .when(add("a", "x", { activate: "production" }))
      .thenAppends(activated("a", 1));
  });

  test("what is unchanged and active is left alone", () => {
    given(added("a", 1, "x"), activated("a", 1))
      .when(add("a", "x", { activate: "production" }))
      .thenReply({ version: 1, seq: 2, unchanged: true, activated: "production" });
  });
});

describe("activation within add", () => {
  test("is one command with two events", () => {
    given(added("a", 1, "x"), activated("a", 1, "staging"))
      .when(add("a", "y", { activate: "staging" }))
      .thenAppends(added("a", 2, "y"), activated("a", 2, "staging", 1));
  });

  test("is refused as a whole where the activation would be", () => {
    const problem = given(added("p", 1, "partial", partial))
      .when(add("a", "one\n  {{> p}}", { activate: "production" }))
      .thenRefused("check_failed", /p is active under production.*Activate it first/);
    expect(problem.findings).toMatchObject([{ code: "unknown_partial", line: 2, column: 7 }]);
  });
});

describe("expectNewest", () => {
  test.each([null, 0, 1])("%s is a conflict where the newest is 2", (expectNewest) => {
    given(added("a", 1, "x"), added("a", 2, "y"))
      .when(add("a", "z", { expectNewest }))
      .thenRefused("conflict", /is version 2, not/);
  });

  test("null and 0 hold where only a seed is there", () => {
    const withSeed = given(added("a", 0, "seed"));
    withSeed.when(add("a", "x", { expectNewest: null })).thenAppends(added("a", 1, "x"));
    withSeed.when(add("a", "x", { expectNewest: 0 })).thenAppends(added("a", 1, "x"));
  });

  test("holds where it is the newest", () => {
    given(added("a", 1, "x"))
      .when(add("a", "y", { expectNewest: 1 }))
      .thenAppends(added("a", 2, "y"));
  });
});

describe("expectActive within add", () => {
  const live = given(added("a", 1, "x"), added("a", 2, "y"), activated("a", 1, "staging"));
  const over = (expectActive: number | null) => ({ activate: "staging", expectActive });

  test.each([null, 0, 2])("%s is a conflict where the label points at 1", (expected) => {
    live.when(add("a", "z", over(expected))).thenRefused("conflict", /under staging of a is version 1, not/);
    // Also for a body that is stored already.
    live.when(add("a", "y", over(expected))).thenRefused("conflict", /under staging of a is version 1, not/);
  });

  test("holds where the label points there, or nowhere as expected", () => {
    live.when(add("a", "z", over(1))).thenAppends(added("a", 3, "z"), activated("a", 3, "staging", 1));
    live.when(add("a", "y", over(1))).thenAppends(activated("a", 2, "staging", 1));
    live
      .when(add("a", "z", { activate: "production", expectActive: null }))
      .thenAppends(added("a", 3, "z"), activated("a", 3, "production"));
  });

  test("held when the version was stored: a retry of what was cut off goes on", () => {
    const command = add("a", "z", { ...over(1), commandId: "cut" });
    given(added("a", 1, "x"), activated("a", 1, "staging"))
      .when(command)
      .stored(1)
      .when(command)
      .thenAppends(activated("a", 2, "staging", 1));
  });
});

describe("what is refused", () => {
  test("a key that differs only in case from another, seeds included", () => {
    given(added("Chat/Main", 1, "x"))
      .when(add("chat/main", "x"))
      .thenRefused("key_conflict", /Chat\/Main/);
    given(added("A", 0, "x"))
      .when(add("a", "x"))
      .thenRefused("key_conflict");
    given(added("A", 1, "x"))
      .when(seed("a", "x"))
      .thenRefused("key_conflict");
  });

  test.each(["", " \n\t"])("a blank body: %j", (body) => {
    const problem = given().when(add("a", body)).thenRefused("check_failed");
    expect(problem.findings).toMatchObject([{ code: "empty_body", line: 1, column: 1 }]);
  });

  test("a body over the limit", () => {
    given()
      .when(add("a", "x".repeat(256 * 1024)))
      .thenAppends(added("a", 1, "x".repeat(256 * 1024)));
    given()
      .when(add("a", "x".repeat(256 * 1024 + 1)))
      .thenRefused("too_large");
  });

  test("a body that does not parse, with the place", () => {
    const problem = given().when(add("a", "one\n{{#if x}}")).thenRefused("check_failed");
    expect(problem).toMatchObject({ key: "a", line: 2 });
  });

  test("an assembly, and a contract, which this release does not have", () => {
    given()
      .when(add("a", "x", { settings: { kind: "assembly" } }))
      .thenRefused("bad_request", /not supported/);
    given()
      .when(add("a", "x", { settings: { contract: "c" } }))
      .thenRefused("contract_not_found");
  });

  test("one label more than a key may have", () => {
    const labels = Array.from({ length: 50 }, (_, at) => activated("a", 1, `l${at}`));
    const full = given(added("a", 1, "x"), ...labels);
    full.when(add("a", "y", { activate: "more" })).thenRefused("limit_exceeded", /50 labels.*Deactivate one/);
    full.when(activate("a", 1, "more")).thenRefused("limit_exceeded", /50 labels/);
    full.when(add("a", "y", { activate: "l7" })).thenAppends(added("a", 2, "y"), activated("a", 2, "l7", 1));
    full
      .and(deactivated("a", 1, "l0"))
      .when(activate("a", 1, "more"))
      .thenAppends(activated("a", 1, "more"));
  });

  test("another kind while the key is live", () => {
    given(added("p", 0, "x", partial))
      .when(add("p", "y", { settings: { kind: "prompt" } }))
      .thenRefused("conflict", /seed/);
    given(added("p", 1, "x", partial), activated("p", 1, "staging"))
      .when(add("p", "y", { settings: { kind: "prompt" } }))
      .thenRefused("conflict", /staging.*deactivate/);
    given(added("p", 1, "x", partial))
      .when(add("p", "y", { settings: { kind: "prompt" } }))
      .thenAppends(added("p", 2, "y"));
  });
});

describe("a dry run", () => {
  test("decides as if, and appends nothing", () => {
    given(added("a", 1, "x"))
      .when(add("a", "y", { dryRun: true, activate: "production" }))
      .thenReply({ version: 2, seq: 1, dryRun: true, activated: "production" }, false);
    given(added("a", 1, "x"))
      .when(add("a", "x", { dryRun: true, activate: "production" }))
      .thenReply({ version: 1, unchanged: true, dryRun: true });
    given()
      .when(add("a", "{{", { dryRun: true }))
      .thenRefused("check_failed");
  });
});

describe("seeds", () => {
  test("are stored as version 0 where body or settings differ from what the log holds", () => {
    given()
      .when(seed("a", "x"))
      .thenAppends(added("a", 0, "x"));
    given(added("a", 0, "x"))
      .when(seed("a", "x"))
      .thenReply({ key: "a", seq: 1 });
    given(added("a", 0, "x"))
      .when(seed("a", "y"))
      .thenAppends(added("a", 0, "y"));
    given(added("a", 0, "x"))
      .when(seed("a", "x", { tags: ["t"] }))
      .thenAppends(added("a", 0, "x", { tags: ["t"] }));
  });

  test("go back to an older text when an older release starts again", () => {
    const first = seed("a", "x");
    given()
      .when(first)
      .stored()
      .when(seed("a", "y"))
      .stored()
      .when(first)
      .thenAppends(added("a", 0, "x"));
  });

  test("are checked", () => {
    given().when(seed("a", "{{")).thenRefused("check_failed");
    given()
      .when(seed("a", "{{> p}}"))
      .thenRefused("check_failed", /no template p/);
  });
});
