// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import { describe, expect, test } from "vitest";
import { activated, added, deactivated, NOON } from "../../testing/records.ts";
import { add } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";

describe("a retry", () => {
  const command = add("a", "x", { activate: "production" });

  test("gets the first reply again, whatever has happened since", () => {
    const after = given().when(command).stored();
    const reply = {
      key: "a",
      version: 1,
      seq: 2,
      created: NOON,
      activated: "production",
      findings: [],
      warnings: [],
    };
    after.when(command).thenReply(reply, true);
    after
      .and(added("a", 2, "y"))
      .and(activated("a", 2, "production", 1))
      .and(deactivated("a", 2))
      .when(command)
      .thenReply(reply, true);
  });

  test("completes a command of which only the first event was stored", () => {
    given().when(command).stored(1).when(command).thenAppends(activated("a", 1));
  });

  test("completes it also where somebody else has activated the version, so that the command is done once", () => {
    given()
      .when(command)
      .stored(1)
      .and(activated("a", 1))
      .when(command)
      .thenAppends(activated("a", 1, "production", 1));
  });

  test.each([
    [
      "moved to another version",
      added("a", 2, "y"),
      activated("a", 2),
      /stored.*not activated.*moved to version 2 meanwhile, at position 3/,
    ],
    [
      "moved and taken away",
      activated("a", 1),
      deactivated("a", 1),
      /Version 1.*not activated.*taken away meanwhile, at position 3/,
    ],
  ])(
    "activates nothing where the label was %s meanwhile: that decision is the newer one",
    (_, first, second, why) => {
      const overtaken = given().when(command).stored(1).and(first).and(second);
      expect(overtaken.when(command).thenRefused("conflict", why)).toMatchObject({ key: "a", version: 1 });
      expect(overtaken.when({ ...command, dryRun: true }).thenRefused("conflict", why).version).toBe(1);
    },
  );

  test("activates where only another label was moved meanwhile, or this one before", () => {
    given(added("a", 1, "w"), activated("a", 1))
      .when(command)
      .stored(1)
      .and(activated("a", 1, "staging"))
      .when(command)
      .thenAppends(activated("a", 2, "production", 1));
  });

  test("activates what was stored as expected, whatever else was stored since", () => {
    const careful = add("a", "x", { activate: "production", expectNewest: null });
    given()
      .when(careful)
      .stored(1)
      .and(added("a", 2, "y"))
      .when(careful)
      .thenAppends(activated("a", 1));
  });

  test("of an unchanged add that activated says so again", () => {
    const again = add("a", "x", { activate: "production" });
    given(added("a", 1, "x"))
      .when(again)
      .stored()
      .and(added("a", 2, "y"))
      .when(again)
      .thenReply({ version: 1, seq: 2, unchanged: true, activated: "production" }, true);
  });

  test("of a command that appended nothing is decided anew", () => {
    const again = add("a", "x");
    given(added("a", 1, "x"), added("a", 2, "y"))
      .when(again)
      .thenAppends(added("a", 3, "x"));
  });

  test("another command under the same id is refused", () => {
    const first = add("a", "x", { commandId: "c" });
    given()
      .when(first)
      .stored()
      .when({ ...first, body: "y", commandHash: "0".repeat(64) })
      .thenRefused("command_reused", /"c" belongs to another command, stored at position 1/);
  });
});
