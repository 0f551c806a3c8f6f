// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import { describe, test } from "vitest";
import { activated, added, deactivated } from "../../testing/records.ts";
import { activate, deactivate } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";

describe("activate", () => {
  test("points the label at a stored version", () => {
    given(added("a", 1, "x"))
      .when(activate("a", 1))
      .thenAppends(activated("a", 1));
  });

  test("remembers where it pointed before, so that a rollback is the activation of an older version", () => {
    given(added("a", 1, "x"), added("a", 2, "y"), activated("a", 2))
      .when(activate("a", 1))
      .thenAppends(activated("a", 1, "production", 2));
  });

  test("of the active version changes nothing", () => {
    given(added("a", 1, "x"), activated("a", 1))
      .when(activate("a", 1))
      .thenReply({ version: 1, previous: 1, seq: 2, changed: false }, false);
  });

  test("of 0 takes the label away where there is a seed", () => {
    given(added("a", 0, "s"), added("a", 1, "x"), activated("a", 1))
      .when(activate("a", 0))
      .thenAppends(deactivated("a", 1));
  });

  test("of 0 changes nothing where the seed answers already", () => {
    given(added("a", 0, "s"))
      .when(activate("a", 0))
      .thenReply({ version: 0, previous: null, seq: 1, changed: false });
  });

  test("of 0 without a seed, of an unknown version and of an unknown key are different refusals", () => {
    given(added("a", 1, "x"), activated("a", 1))
      .when(activate("a", 0))
      .thenRefused("version_not_found", /no seed/);
    given(added("a", 1, "x"))
      .when(activate("a", 2))
      .thenRefused("version_not_found", /versions 1 to 1/);
    given().when(activate("a", 1)).thenRefused("key_not_found");
  });

  test("expectActive must hold; null and 0 mean nothing", () => {
    const active = given(added("a", 1, "x"), added("a", 2, "y"), activated("a", 1));
    active
      .when(activate("a", 2, "production", { expectActive: 2 }))
      .thenRefused("conflict", /is version 1, not version 2/);
    active.when(activate("a", 2, "production", { expectActive: null })).thenRefused("conflict");
    active.when(activate("a", 2, "production", { expectActive: 0 })).thenRefused("conflict");
    active
      .when(activate("a", 2, "production", { expectActive: 1 }))
      .thenAppends(activated("a", 2, "production", 1));
    active
      .when(activate("a", 2, "staging", { expectActive: null }))
      .thenAppends(activated("a", 2, "staging"));
  });

  test("a dry run appends nothing", () => {
    given(added("a", 1, "x"))
      .when(activate("a", 1, "production", { dryRun: true }))
      .thenReply({ changed: true, seq: 1, dryRun: true });
  });

  test("a retry gets the first reply again", () => {
    const command = activate("a", 1);
    const reply = {
      key: "a",
      label: "production",
      version: 1,
      previous: null,
      seq: 2,
      changed: true,
      warnings: [],
    };
    given(added("a", 1, "x"))
      .when(command)
      .stored()
      .and(deactivated("a", 1))
      .when(command)
      .thenReply(reply, true);
    const seedAgain = activate("a", 0);
    given(added("a", 0, "s"), added("a", 1, "x"), activated("a", 1))
      .when(seedAgain)
      .stored()
      .and(activated("a", 1))
      .when(seedAgain)
      .thenReply({ version: 0, previous: 1, seq: 4, changed: true }, true);
  });

  test("a version of another kind than what is live is refused", () => {
    given(added("a", 1, "x"), activated("a", 1, "staging"), added("b", 1, "x", { kind: "partial" }))
      .when(activate("b", 1))
      .thenAppends(activated("b", 1));
    given(added("a", 1, "x", { kind: "partial" }), added("a", 2, "x"), activated("a", 1, "staging"))
      .when(activate("a", 2))
      .thenRefused("conflict", /partial under the label staging/);
  });
});

describe("deactivate", () => {
  test("takes the label away", () => {
    given(added("a", 1, "x"), activated("a", 1, "staging"))
      .when(deactivate("a", "staging"))
      .thenAppends(deactivated("a", 1, "staging"));
  });

  test("of a label that points nowhere changes nothing", () => {
    given(added("a", 1, "x"))
      .when(deactivate("a"))
      .thenReply({ previous: null, seq: 1, changed: false, nowServes: null });
    given(added("a", 0, "x"))
      .when(deactivate("a"))
      .thenReply({ previous: null, changed: false, nowServes: 0 });
    given().when(deactivate("a")).thenRefused("key_not_found");
  });

  test("a retry gets the first reply again, also where a seed has come since", () => {
    const command = deactivate("a");
    const reply = { key: "a", label: "production", previous: 1, seq: 3, changed: true, nowServes: null };
    given(added("a", 1, "x"), activated("a", 1))
      .when(command)
      .stored()
      .and(added("a", 0, "s"))
      .when(command)
      .thenReply(reply, true);
  });

  test("says whether the seed answers now", () => {
    const command = deactivate("a");
    given(added("a", 0, "s"), added("a", 1, "x"), activated("a", 1))
      .when(command)
      .stored()
      .when(command)
      .thenReply({ nowServes: 0 });
  });
});
