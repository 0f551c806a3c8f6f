// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import { describe, expect, test } from "vitest";
import { added, published } from "../../testing/records.ts";
import { add } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";

const text = { type: "string", description: "d" };
const first = { type: "object", properties: { name: text }, required: ["name"] };
const on = { contract: "c" };
const body = "{{#if name}}{{#unless name}}x{{/unless}}{{/if}}";
const warnings = [expect.stringMatching(/^unreachable 1:13 /)];

describe("add of a template with a contract", () => {
  test("tells what is odd and harms nothing", () => {
    given(published("c", 1, first))
      .when(add("a", body, { settings: on, dryRun: true }))
      .thenReply({ warnings });
  });

  test("tells the same of what is stored already", () => {
    const history = [published("c", 1, first), added("a", 1, body, on)];
    given(...history)
      .when(add("a", body, { settings: on }))
      .thenReply({ unchanged: true, warnings });
    given(...history)
      .when(add("a", body, { settings: on, activate: "production", dryRun: true }))
      .thenReply({ unchanged: true, warnings });
  });

  test("tells it again when it is sent again, and of what an earlier try has stored in part", () => {
    for (const activate of [null, "production"]) {
      const command = add("a", body, { settings: on, activate });
      given(published("c", 1, first))
        .when(command)
        .stored()
        .when(command)
        .thenReply({ warnings }, true);
    }
    const command = add("a", body, { settings: on, activate: "production" });
    const scenario = given(published("c", 1, first))
      .when(command)
      .stored(1);
    scenario.when({ ...command, dryRun: true }).thenReply({ warnings, dryRun: true }, false);
    scenario.when(command).stored().when(command).thenReply({ warnings }, true);
  });
});
