import { unwrap, type Client } from "@incipit/client";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { askEveryInstance } from "../support/every-instance.ts";
import { eventually } from "../support/eventually.ts";
import { startStack, type Stack } from "../support/stack.ts";

const RENDERERS = 2;

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ renderers: RENDERERS });
  client = await stack.connect("alice");
});
afterAll(() => stack.stop());

const lastSeq = async () => unwrap(await client.status()).seq;
/** What every renderer serves; they must agree. */
async function served(ref: string, minSeq: number) {
  const answers = await askEveryInstance(RENDERERS, async () => unwrap(await client.render(ref, { minSeq })));
  const [first, ...others] = answers.map(({ text, version, hash }) => ({ text, version, hash }));
  for (const other of others) expect(other).toEqual(first);
  return first;
}
async function expectNotActive(ref: string, minSeq: number) {
  for (let asked = 0; asked < 2 * RENDERERS; asked++)
    expect(await client.render(ref, { minSeq })).toMatchObject({
      ok: false,
      problem: { code: "not_active", status: 404 },
    });
}

describe("a label that was taken away", () => {
  // langfuse #9278: retired prompts kept their label, and came alive when the name was used again.
  it("does not come back when the key is added to again", async () => {
    unwrap(await client.add("retired", { body: "one", activate: true }));
    unwrap(await client.activate("retired", { version: 1, label: "staging" }));
    const gone = unwrap(await client.deactivate("retired", { note: "retired" }));
    expect(gone).toMatchObject({ previous: 1, changed: true, nowServes: null });
    await expectNotActive("retired", gone.seq);
    expect(await served("retired@staging", gone.seq)).toMatchObject({ text: "one" });

    for (const body of ["one", "two", "one"]) {
      const { seq } = unwrap(await client.add("retired", { body }));
      await expectNotActive("retired", seq);
      const { labels } = unwrap(await client.get("retired@1", { minSeq: seq }));
      expect(labels).toEqual(["staging"]);
    }
    // To take it away again is told from what happens: nothing.
    const before = await lastSeq();
    expect(unwrap(await client.deactivate("retired"))).toMatchObject({ previous: null, changed: false });
    expect(await lastSeq()).toBe(before);
    const { seq } = unwrap(await client.activate("retired", { version: 2 }));
    expect(await served("retired", seq)).toMatchObject({ text: "two", version: 2 });
  });
});

describe("what is in use", () => {
  // langfuse #1079, PR #8348: the version in use was deleted; a partial went from under who included it.
  it("is not taken away: who includes it is named, and goes on being served", async () => {
    unwrap(await client.add("used/_partials/inner", { kind: "partial", body: "inner", activate: true }));
    const outer = { kind: "partial" as const, body: "[{{> used/_partials/inner}}]", activate: true as const };
    unwrap(await client.add("used/_partials/outer", outer));
    for (const name of ["one", "two"])
      unwrap(await client.add(`used/${name}`, { body: "{{> used/_partials/outer}}", activate: true }));
    const before = await lastSeq();
    const refused = await client.deactivate("used/_partials/inner");
    expect(refused).toMatchObject({ ok: false, problem: { code: "check_failed", status: 422 } });
    const findings = refused.ok ? [] : (refused.problem.findings ?? []);
    for (const user of ["used/_partials/outer", "used/one", "used/two"])
      expect(findings.filter(({ message }) => message.includes(user))).not.toEqual([]);
    expect(await lastSeq()).toBe(before);
    expect(await served("used/one", before)).toMatchObject({ text: "[inner]" });

    // Users first: then it goes.
    for (const key of ["used/one", "used/two", "used/_partials/outer", "used/_partials/inner"])
      expect(unwrap(await client.deactivate(key)).changed).toBe(true);
  });

  // mlflow #21380: a version was deleted, and a memory of it answered for ever.
  it("cannot be deleted at all: there is no such command, and a version stays what it was", async () => {
    unwrap(await client.add("kept", { body: "one", activate: true }));
    const { seq } = unwrap(await client.add("kept", { body: "two", activate: true }));
    const nats = await connect({ servers: stack.url });
    onTestFinished(() => nats.close());
    for (const verb of ["delete", "remove", "archive", "purge"]) {
      const reply = await nats.request(`prompt.cmd.alice.${verb}.kept`, '{"version":1}', { timeout: 5_000 });
      expect(JSON.parse(new TextDecoder().decode(reply.data))).toMatchObject({
        error: { code: "bad_request" },
      });
    }
    const gone = unwrap(await client.deactivate("kept"));
    expect(gone.seq).toBe(seq + 1);
    for (const [ref, text] of [
      ["kept@1", "one"],
      ["kept@2", "two"],
    ] as const)
      expect(await served(ref, gone.seq)).toMatchObject({ text });
  });
});

// mlflow #21489: a change of settings alone was served from a memory of before.
it("a change of settings alone is a version, and what it changes is served from its activation on", async () => {
  const body = "{name} {{name}}";
  const context = { name: "Ada" };
  const first = unwrap(await client.add("settings", { body, config: { temperature: 1 }, activate: true }));
  const begun = unwrap(await client.render("settings", { context, minSeq: first.seq }));
  expect(begun.text).toBe("{name} Ada");
  for (const [version, change, text] of [
    [2, { config: { temperature: 0 } }, "{name} Ada"],
    [3, { syntax: "slots" as const }, "Ada {Ada}"],
  ] as const) {
    const { seq, version: stored } = unwrap(
      await client.add("settings", { body, ...change, activate: true }),
    );
    expect(stored).toBe(version);
    const replies = await askEveryInstance(RENDERERS, async () =>
      unwrap(await client.render("settings", { context, minSeq: seq })),
    );
    for (const reply of replies) expect(reply).toMatchObject({ version, text });
    expect(unwrap(await client.get("settings", { minSeq: seq }))).toMatchObject({
      version,
      config: { temperature: 0 },
      labels: ["production"],
    });
  }
  expect(unwrap(await client.get("settings@1"))).toMatchObject({ config: { temperature: 1 }, labels: [] });
});

// langwatch #5666: what was read and sent back had lost fields, and went live by that.
it("what is read and sent back loses no field, and moves nothing", async () => {
  const settings = {
    kind: "prompt" as const,
    syntax: "slots" as const,
    onError: "degrade" as const,
    config: { model: "m", stop: ["\n"], nested: { a: [1, null, true] } },
    tags: ["a", "b"],
  };
  unwrap(await client.add("round-trip", { body: "Hi {name}\r\n", ...settings, activate: true }));
  const read = unwrap(await client.get("round-trip"));
  expect(read).toMatchObject(settings);
  const sent = ({ body, kind, syntax, onError, config, tags, contract }: typeof read) => {
    return { body, kind, syntax, onError, config, tags, contract };
  };
  expect(unwrap(await client.add("round-trip", sent(read)))).toMatchObject({ version: 1, unchanged: true });
  // An edit of the body alone, with all that was read or with nothing of it, keeps the rest.
  for (const [version, payload] of [
    [2, { ...sent(read), body: "Dear {name}" }],
    [3, { body: "Good day {name}" }],
  ] as const) {
    const { seq } = unwrap(await client.add("round-trip", payload));
    const { items } = unwrap(await client.list({ prefix: "round-trip", minSeq: seq }));
    expect(items).toMatchObject([{ active: 1, newest: version, labels: { production: 1 } }]);
    expect(unwrap(await client.get(`round-trip@${version}`))).toMatchObject({
      ...settings,
      body: payload.body,
    });
    expect(unwrap(await client.get("round-trip")).version).toBe(1);
  }
});

// opik #875, litellm #16233, langfuse #2110: draft, staging and production were wanted of one key.
it("a draft, a staging and a production version stand side by side, and move each by itself", async () => {
  for (const body of ["old", "candidate", "draft"]) unwrap(await client.add("stages", { body }));
  unwrap(await client.activate("stages", { version: 1 }));
  const { seq } = unwrap(await client.activate("stages", { version: 2, label: "staging" }));
  expect(await served("stages", seq)).toMatchObject({ text: "old" });
  expect(await served("stages@staging", seq)).toMatchObject({ text: "candidate" });
  expect(await served("stages@3", seq)).toMatchObject({ text: "draft" });
  await expectNotActive("stages@never-used", seq);
  const { seq: released } = unwrap(await client.activate("stages", { version: 2 }));
  expect(await served("stages", released)).toMatchObject({ text: "candidate" });
  const { items } = unwrap(await client.versions("stages"));
  expect(items.map(({ version, labels }) => [version, labels])).toEqual([
    [3, []],
    [2, ["production", "staging"]],
    [1, []],
  ]);
});

// langsmith #1516: who keeps texts of their own had to ask again and again whether they had changed.
it("a move is told to whoever listens: what, from which version to which, by whom, where in the log", async () => {
  const nats = await connect({ servers: stack.url });
  onTestFinished(() => nats.close());
  const heard: unknown[] = [];
  nats.subscribe("prompt.live.now.active.*.told.key", {
    callback: (_, message) => {
      const { type, actor, data } = JSON.parse(new TextDecoder().decode(message.data)) as Record<
        string,
        unknown
      >;
      heard.push({ seq: Number(message.headers?.get("Nats-Sequence")), type, actor, data });
    },
  });
  await nats.flush();
  const bob = await stack.connect("bob");
  for (const body of ["one", "two"]) unwrap(await client.add("told/key", { body }));
  const first = unwrap(await client.activate("told/key", { version: 1, note: "begin" }));
  const second = unwrap(await bob.activate("told/key", { version: 2 }));
  const third = unwrap(await client.deactivate("told/key", { note: "end" }));
  await eventually("all three were heard", () => heard.length === 3);
  const data = { key: "told/key", label: "production" };
  expect(heard).toEqual([
    {
      seq: first.seq,
      type: "TemplateActivated",
      actor: "alice",
      data: { ...data, version: 1, previous: null, note: "begin" },
    },
    {
      seq: second.seq,
      type: "TemplateActivated",
      actor: "bob",
      data: { ...data, version: 2, previous: 1, note: "" },
    },
    {
      seq: third.seq,
      type: "TemplateDeactivated",
      actor: "alice",
      data: { ...data, previous: 2, note: "end" },
    },
  ]);
});

// Braintrust's knowledge base: with its registry down, one way of asking for a prompt worked and another did not.
it("while no registry runs, renders go on alike by default, label, version and pins", async () => {
  unwrap(await client.add("outage", { body: "one", activate: true }));
  unwrap(await client.add("outage", { body: "two", activate: "staging" }));
  const { seq: minSeq } = unwrap(await client.add("outage", { body: "three" }));
  await stack.registries[0]?.end();
  onTestFinished(async () => void (await stack.startRegistry(0)));
  for (const [text, ref, options] of [
    ["one", "outage", {}],
    ["two", "outage", { label: "staging" }],
    ["three", "outage@3", {}],
    ["two", "outage", { pins: { outage: 2 } }],
  ] as const) {
    const reply = unwrap(await client.render(ref, { ...options, minSeq }));
    expect(reply.text).toBe(text);
    expect(reply.stale).toBeUndefined();
  }
  for (const ask of [
    client.get("outage"),
    client.get("outage@staging"),
    client.get("outage@3"),
    client.add("outage", { body: "four" }),
  ])
    expect(await ask).toMatchObject({ ok: false, problem: { code: "no_responders", status: 503 } });
});
