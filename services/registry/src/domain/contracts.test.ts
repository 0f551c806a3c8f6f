// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import { describe, expect, test } from "vitest";
import { activated, added, NOON, published } from "../../testing/records.ts";
import { activate, add, deactivate, publish, seed } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";

const text = { type: "string", description: "d" };
const document = (required: string[], properties: Record<string, object> = { name: text, nick: text }) => ({
  type: "object",
  properties,
  required,
});
const first = document(["name"]);
const strict = document(["name", "nick"]);
const on = { contract: "c" };
const partial = { kind: "partial" as const };

describe("publish", () => {
  test("stores the first version, and the next", () => {
    given()
      .when(publish("c", first))
      .thenAppends(published("c", 1, first));
    const wider = document(["name"], { name: text, nick: text, more: text });
    given(published("c", 1, first))
      .when(publish("c", wider))
      .thenAppends(published("c", 2, wider));
  });

  test("of the same document changes nothing, in whatever order its fields stand", () => {
    given(published("c", 1, first))
      .when(publish("c", { required: ["name"], properties: { nick: text, name: text }, type: "object" }))
      .thenReply({ version: 1, seq: 1, created: NOON, unchanged: true, affected: [] }, false);
  });

  test("under a name that differs only in case from another is refused", () => {
    given(published("c", 1, first))
      .when(publish("C", first))
      .thenRefused("key_conflict", /C differs only in case from c/);
    given(published("c", 1, first), published("C", 1, first))
      .when(publish("C", document(["name"], { name: text, nick: text, more: text }), { dryRun: true }))
      .thenReply({ version: 2 });
  });

  test("of what is narrower is refused, with the path and the reason", () => {
    const problem = given(published("c", 1, first))
      .when(publish("c", strict))
      .thenRefused("contract_narrowed", /version 1: nick must be given now\./);
    expect(problem).toMatchObject({ key: "c", path: "nick" });
  });

  test("expectVersion must hold; null and 0 mean none", () => {
    const scenario = given(published("c", 1, first));
    for (const expectVersion of [null, 0, 2])
      scenario.when(publish("c", first, { expectVersion })).thenRefused("conflict", /is version 1/);
    scenario.when(publish("c", first, { expectVersion: 1 })).thenReply({ unchanged: true });
  });

  test("a dry run appends nothing", () => {
    given()
      .when(publish("c", first, { dryRun: true }))
      .thenReply({ version: 1, seq: 0, dryRun: true });
  });

  test("a retry gets the first reply again, whatever has been published since", () => {
    const command = publish("c", first);
    const reply = {
      name: "c",
      version: 1,
      seq: 1,
      created: NOON,
      affected: [],
      affectedCount: 0,
      warnings: [],
    };
    given()
      .when(command)
      .stored()
      .and(published("c", 2, document(["name"], { name: text, nick: text, more: text })))
      .when(command)
      .thenReply(reply, true);
    const other = publish("c", strict, { commandId: command.commandId, commandHash: "0".repeat(64) });
    given().when(command).stored().when(other).thenRefused("command_reused");
  });

  test("lists the active templates that no longer pass, under each label, and seeds that answer", () => {
    const history = [
      published("c", 1, strict),
      added("a", 1, "{{nick}}", on),
      activated("a", 1),
      activated("a", 1, "staging"),
      added("fine", 1, "{{name}}", on),
      activated("fine", 1),
      added("stored", 1, "{{nick}}", on),
      added("s", 0, "{{> p}}", on),
      added("p", 0, "{{nick}}", partial),
    ];
    given(...history)
      .when(publish("c", first))
      .stored()
      .when(publish("c", first, { commandId: "again" }))
      .thenReply({ unchanged: true });
    given(...history)
      .when(publish("c", first, { dryRun: true }))
      .thenReply({
        affectedCount: 3,
        affected: [
          {
            key: "a",
            version: 1,
            label: "production",
            findings: [{ code: "null_printed", line: 1, column: 3 }],
          },
          { key: "s", version: 0, label: "production", findings: [{ partial: "p" }] },
          { key: "a", version: 1, label: "staging" },
        ],
      });
  });

  test("of what is only described in other words looks at no template", () => {
    const described = document(["name"], { name: { ...text, description: "The name." }, nick: text });
    given(published("c", 1, first), added("a", 1, "{{nick}}", on), activated("a", 1))
      .when(publish("c", described, { dryRun: true }))
      .thenReply({ affectedCount: 0 });
  });

  describe("of a new field", () => {
    const list = { type: "array", items: { type: "string" }, description: "d" };
    const around = (required: string[], more: Record<string, object> = {}) => {
      const inner = { ...document(["a", ...required], { a: text, ...more }), description: "d" };
      return document(["o"], { o: inner });
    };
    const before = published("c", 1, around([]));

    test("is accepted, required or not, where templates read the others by name", () => {
      given(before, added("a", 1, "{{o.a}}", on), activated("a", 1))
        .when(publish("c", around(["b"], { b: text }), { dryRun: true }))
        .thenReply({ affectedCount: 0 });
    });

    test("lists who loops over the object and cannot take it", () => {
      given(before, added("a", 1, "{{#each o}}{{this}}{{/each}}", on), activated("a", 1))
        .when(publish("c", around([], { b: list }), { dryRun: true }))
        .thenReply({ affectedCount: 1 });
    });

    test.each(["{{json o}}", "{{json this}}", "{{#each o}}{{this}}{{/each}}"])(
      "that must be given is refused where %s makes its callers give all of the object",
      (body) => {
        const problem = given(before, added("a", 1, body, on), activated("a", 1))
          .when(publish("c", around(["b"], { b: text })))
          .thenRefused("contract_narrowed", /cannot change so at o\.b: the active template a reads all/);
        expect(problem).toMatchObject({ key: "c", path: "o.b" });
        given(before, added("a", 1, body, on), activated("a", 1))
          .when(publish("c", around([], { b: text }), { dryRun: true }))
          .thenReply({ affectedCount: 0 });
      },
    );
  });
});

describe("add", () => {
  test("without such a contract is refused", () => {
    given()
      .when(add("a", "x", { settings: on }))
      .thenRefused("contract_not_found", /no contract c/);
  });

  test("of what could fail is refused, with the place and a context", () => {
    const problem = given(published("c", 1, first))
      .when(add("a", "Hi {{nick}}", { settings: on }))
      .thenRefused("check_failed", /may be absent/);
    expect(problem.findings).toMatchObject([
      {
        code: "null_printed",
        line: 1,
        column: 6,
        witness: { context: { name: "" }, fails: { code: "render_failed" } },
      },
    ]);
  });

  test("of what cannot fail is stored", () => {
    given(published("c", 1, first))
      .when(add("a", "{{name}}{{#if nick}}{{nick}}{{/if}}", { settings: on }))
      .thenAppends(added("a", 1, "{{name}}{{#if nick}}{{nick}}{{/if}}", on));
  });

  test("is judged by the newest version of the contract", () => {
    given(published("c", 1, strict), published("c", 2, first))
      .when(add("a", "{{nick}}", { settings: on }))
      .thenRefused("check_failed");
  });

  test("checks partials where they stand, with what they get there", () => {
    const history = [published("c", 1, first), added("p", 1, "{{nick}}", partial), activated("p", 1)];
    given(...history)
      .when(add("a", "{{#if nick}}{{> p}}{{/if}}", { settings: on }))
      .thenAppends(added("a", 1, "{{#if nick}}{{> p}}{{/if}}", on));
    const problem = given(...history)
      .when(add("a", "{{> p}}", { settings: on }))
      .thenRefused("check_failed");
    expect(problem.findings).toMatchObject([{ partial: "p", line: 1, column: 3 }]);
  });

  test("of a seed is judged alike", () => {
    given(published("c", 1, first))
      .when(seed("a", "{{nick}}", on))
      .thenRefused("check_failed");
    given(published("c", 1, first))
      .when(seed("a", "{{name}}", on))
      .thenAppends(added("a", 0, "{{name}}", on));
  });
});

describe("activate", () => {
  test("judges again, by the contract of now", () => {
    given(published("c", 1, strict), added("a", 1, "{{nick}}", on), published("c", 2, first))
      .when(activate("a", 1))
      .thenRefused("check_failed", /may be absent/);
  });

  test("of a partial judges every active template that includes it, with its own contract", () => {
    const history = [
      published("c", 1, first),
      added("p", 1, "{{name}}", partial),
      activated("p", 1),
      added("q", 1, "{{> p}}", partial),
      activated("q", 1),
      added("a", 1, "{{> q}}", on),
      activated("a", 1),
      added("free", 1, "{{> p}}"),
      activated("free", 1),
      added("p", 2, "{{nick}}", partial),
      added("p", 3, "{{#if nick}}{{nick}}{{/if}}", partial),
    ];
    const problem = given(...history)
      .when(activate("p", 2))
      .thenRefused("check_failed", /would break: a\. a@1 would break under production \(a → q → p\)/);
    expect(problem.findings).toMatchObject([{ code: "null_printed", witness: { context: { name: "" } } }]);
    given(...history)
      .when(activate("p", 3))
      .thenAppends(activated("p", 3, "production", 1));
  });

  test("of nothing, so that the seed answers again, is judged alike", () => {
    const history = [
      published("c", 1, first),
      added("deep", 0, "{{nick}}", partial),
      added("p", 0, "{{> deep}}", partial),
      added("p", 1, "{{name}}", partial),
      activated("p", 1),
      added("a", 1, "{{> p}}", on),
      activated("a", 1),
    ];
    const problem = given(...history)
      .when(deactivate("p"))
      .thenRefused("check_failed", /a@1 would break under production \(a → p\)/);
    expect(problem.findings).toMatchObject([{ partial: "deep", code: "null_printed" }]);
  });

  test("is not kept from moving by a template that is broken already", () => {
    given(
      published("c", 1, strict),
      added("p", 1, "{{nick}}", partial),
      activated("p", 1),
      added("a", 1, "{{> p}}", on),
      activated("a", 1),
      published("c", 2, first),
      added("p", 2, "{{nick}}!", partial),
    )
      .when(activate("p", 2))
      .thenAppends(activated("p", 2, "production", 1));
  });
});
