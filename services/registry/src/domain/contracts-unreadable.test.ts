// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import { describe, test } from "vitest";
import { activated, added, published } from "../../testing/records.ts";
import { activate, add, deactivate, publish, seed } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";

const text = { type: "string", description: "d" };
const first = { type: "object", properties: { name: text, nick: text }, required: ["name"] };
const on = { contract: "c" };
const partial = { kind: "partial" as const };

describe("a stored version of a contract that this release cannot read", () => {
  const unreadable = published("c", 1, { type: "from the future" });

  test("is no ground to publish the next one on, nor to check a template against", () => {
    const scenario = given(unreadable, added("a", 1, "x", on));
    const said = /cannot read version 1 of the contract c/;
    scenario.when(publish("c", first)).thenRefused("unavailable", said);
    for (const command of [add("b", "x", { settings: on }), add("a", "y", { settings: on })])
      scenario.when(command).thenRefused("unavailable", said);
    scenario.when(activate("a", 1)).thenRefused("unavailable", said);
    scenario.when(seed("s", "x", on)).thenRefused("unavailable", said);
  });

  test("keeps nothing else from going on, nor partials of templates on it from moving", () => {
    const scenario = given(
      unreadable,
      added("p", 1, "x", partial),
      activated("p", 1),
      added("a", 1, "{{> p}}", on),
      activated("a", 1),
      added("p", 2, "{{name}}", partial),
    );
    scenario.when(publish("d", first)).thenAppends(published("d", 1, first));
    scenario.when(activate("p", 2)).thenAppends(activated("p", 2, "production", 1));
    scenario.when(deactivate("a")).stored();
  });

  test("counts no longer once a version that it can read stands above it", () => {
    given(unreadable, published("c", 2, first))
      .when(add("a", "{{name}}", { settings: on }))
      .thenAppends(added("a", 1, "{{name}}", on));
  });
});
