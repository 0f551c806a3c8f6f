import { unwrap, type Client, type RenderOptions } from "@incipit/client";
import type { Problem } from "@incipit/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askEveryInstance } from "../support/every-instance.ts";
import { startStack, type Stack } from "../support/stack.ts";

const RENDERERS = 2;
const partial = { kind: "partial" as const };

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ renderers: RENDERERS });
  client = await stack.connect("alice");
});
afterAll(() => stack.stop());

const lastSeq = async () => unwrap(await client.status()).seq;
/** A command that is refused with findings, and stores nothing. */
async function refusedCheck(send: () => Promise<{ ok: boolean }>): Promise<Problem> {
  const before = await lastSeq();
  const reply = (await send()) as { ok: boolean; problem?: Problem };
  expect(reply).toMatchObject({ ok: false, problem: { code: "check_failed", status: 422 } });
  expect(await lastSeq()).toBe(before);
  return reply.problem as Problem;
}

describe("includes that go round in a circle", () => {
  // dotprompt PR #602, latitude PR #83, langfuse PR #5882: a circle of includes ended the process that rendered it.
  it.each([
    ["by itself", "{{> circle/self}}"],
    ["by itself under a condition that never holds", "{{#if never}}{{> circle/self}}{{/if}}"],
  ])("%s are refused at add, with the way round", async (_, body) => {
    const problem = await refusedCheck(() => client.add("circle/self", { ...partial, body }));
    expect(problem.message).toContain("circle/self → circle/self is a cycle");
    expect(problem.findings).toMatchObject([{ code: "partial_cycle", line: 1 }]);
  });

  it("over others are refused at add, with the way round", async () => {
    unwrap(await client.add("circle/c", { ...partial, body: "end" }));
    unwrap(await client.add("circle/b", { ...partial, body: "x\n{{> circle/c}}" }));
    unwrap(await client.add("circle/a", { ...partial, body: "{{> circle/b}}" }));
    const problem = await refusedCheck(() => client.add("circle/c", { ...partial, body: "{{> circle/a}}" }));
    expect(problem.message).toContain("circle/c → circle/a → circle/b → circle/c is a cycle");
    expect(problem.findings).toMatchObject([{ code: "partial_cycle", partial: "circle/b", line: 2 }]);
  });

  it("are refused at activate, where only what is active would close them, and renders go on", async () => {
    // Each version was right when it was stored: then the other did not include it.
    unwrap(await client.add("late/a", { ...partial, body: "a", activate: true }));
    unwrap(await client.add("late/b", { ...partial, body: "b", activate: true }));
    unwrap(await client.add("late/user", { body: "{{> late/a}} {{> late/b}}", activate: true }));
    unwrap(await client.add("late/a", { ...partial, body: "a>{{> late/b}}" }));
    unwrap(await client.add("late/b", { ...partial, body: "b>{{> late/a}}" }));
    const { seq } = unwrap(await client.activate("late/a", { version: 2 }));
    const problem = await refusedCheck(() => client.activate("late/b", { version: 2 }));
    expect(problem.message).toMatch(/late\/b → late\/a → late\/b is a cycle/);
    const replies = await askEveryInstance(RENDERERS, async () =>
      unwrap(await client.render("late/user", { minSeq: seq })),
    );
    for (const { text } of replies) expect(text).toBe("a>b b");
  });
});

// langfuse: a prompt of one kind was included by one of another.
it("a template that is no partial is not included, at add and wherever it might become one", async () => {
  unwrap(await client.add("kinds/prompt", { body: "a prompt", activate: true }));
  const problem = await refusedCheck(() => client.add("kinds/user", { body: "Hi\n  {{> kinds/prompt}}" }));
  expect(problem.findings).toMatchObject([{ code: "not_a_partial", line: 2, column: 7 }]);
  unwrap(await client.add("kinds/part", { ...partial, body: "a partial", activate: true }));
  unwrap(await client.add("kinds/user", { body: "{{> kinds/part}}", activate: true }));
  expect(await client.add("kinds/part", { kind: "prompt", body: "now a prompt" })).toMatchObject({
    ok: false,
    problem: { code: "conflict", status: 409 },
  });
  expect(await client.render("kinds/part")).toMatchObject({
    problem: { code: "not_renderable", status: 400 },
  });
});

// latitude PR #584: a partial read what its parent did not pass, and printed nothing for it.
it("a partial that reads what it is not given is refused where a contract tells, else fails by name at its place", async () => {
  const document = {
    type: "object",
    properties: {
      user: {
        type: "object",
        description: "Who asks.",
        properties: { name: { type: "string", description: "The name." } },
        required: ["name"],
      },
    },
    required: ["user"],
  };
  unwrap(await client.publish("caller", { document }));
  unwrap(
    await client.add("passed/card", { ...partial, body: "Name: {{name}}\nMail: {{mail}}", activate: true }),
  );
  const problem = await refusedCheck(() =>
    client.add("passed/user", { body: "\n{{> passed/card user}}", contract: "caller" }),
  );
  expect(problem.findings).toMatchObject([{ partial: "passed/card", line: 2, column: 9 }]);
  expect(problem.message).toContain("mail");

  const { seq } = unwrap(await client.add("passed/free", { body: "{{> passed/card user}}", activate: true }));
  expect(
    await client.render("passed/free", { context: { user: { name: "Ada" } }, minSeq: seq }),
  ).toMatchObject({
    ok: false,
    problem: { code: "field_missing", key: "passed/free", partial: "passed/card", line: 2, column: 9 },
  });
});

// langfuse #6926: one way to render showed an include as it was written.
it("every way to render resolves includes, in partials of partials too", async () => {
  unwrap(await client.add("ways/inner", { ...partial, body: "inner {{n}}", activate: true }));
  unwrap(await client.add("ways/outer", { ...partial, body: "({{> ways/inner}})", activate: true }));
  unwrap(await client.add("ways/top", { body: "top {{> ways/outer}}", activate: true }));
  const { seq: minSeq } = unwrap(await client.activate("ways/top", { version: 1, label: "staging" }));
  const context = { n: 7 };
  const ways: [string, RenderOptions][] = [
    ["ways/top", {}],
    ["ways/top@production", {}],
    ["ways/top@staging", {}],
    ["ways/top@1", {}],
    ["ways/top", { pins: { "ways/top": 1, "ways/outer": 1, "ways/inner": 1 } }],
    ["ways/none", { fallbackKeys: ["ways/top"] }],
  ];
  for (const [ref, options] of ways)
    expect(unwrap(await client.render(ref, { ...options, context, minSeq }))).toMatchObject({
      text: "top (inner 7)",
      partials: [
        { key: "ways/inner", version: 1 },
        { key: "ways/outer", version: 1 },
      ],
    });
  // What looks before anything is stored resolves them the same way, and says of a missing one what add says.
  const { findings } = unwrap(await client.check("ways/new", { body: "{{> ways/outer}} {{m}}" }));
  expect(findings).toEqual([]);
  const body = "{{> ways/gone}}";
  const foreseen = unwrap(await client.check("ways/new", { body })).findings;
  expect(foreseen).toMatchObject([{ code: "unknown_partial" }]);
  expect((await refusedCheck(() => client.add("ways/new", { body }))).findings).toEqual(foreseen);
});
