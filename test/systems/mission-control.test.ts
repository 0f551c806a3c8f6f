import { unwrap, type Client } from "@incipit/client";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { askEveryInstance } from "../support/every-instance.ts";
import { startStack, type Stack } from "../support/stack.ts";

// MC: role instructions and skills of agents, written by people and by agents.
const RENDERERS = 2;
const password = "for-tests-on-loopback";

/**
 * Who may what: `author` may write templates and read them, no more. Wildcards stand for whole tokens, so that `add.>` says
 * nothing of `add-activate`.
 */
const users = `authorization { users: [
  { user: services, password: ${password} }
  { user: alice, password: ${password}, permissions: {
      publish: ["prompt.cmd.alice.>", "prompt.query.>", "prompt.render.>"], subscribe: ["_INBOX_alice.>"] } }
  { user: author, password: ${password}, permissions: {
      publish: ["prompt.cmd.author.add.>", "prompt.query.>", "prompt.render.>"], subscribe: ["_INBOX_author.>"] } }
] }`;

let stack: Stack;
let alice: Client;
let author: Client;

beforeAll(async () => {
  stack = await startStack({
    renderers: RENDERERS,
    natsConfigLines: [users],
    env: { NATS_USER: "services", NATS_PASSWORD: password },
  });
  const as = (user: string) => stack.connect(user, { user, password, inboxPrefix: `_INBOX_${user}` });
  [alice, author] = await Promise.all([as("alice"), as("author")]);
});
afterAll(() => stack.stop());

const lastSeq = async () => unwrap(await alice.status()).seq;

/** What a session keeps of a reply, so that it can be asked for again. */
const pinsOf = ({ key, version, partials }: { key: string; version: number; partials: Pinned[] }) =>
  Object.fromEntries([{ key, version }, ...partials].map((used) => [used.key, used.version]));
type Pinned = { key: string; version: number };

/** Instruction and skills of one role, live; the position of the last. */
async function writeRole(role: string): Promise<number> {
  unwrap(await alice.add(`${role}/_skills/base`, { kind: "partial", body: "base 1\n", activate: true }));
  unwrap(
    await alice.add(`${role}/_skills/search`, {
      kind: "partial",
      body: `{{> ${role}/_skills/base}}search 1 for {{requester}}\n`,
      activate: true,
    }),
  );
  const body = `You are {{role}}.\n{{> ${role}/_skills/search}}`;
  return unwrap(await alice.add(`${role}/instruction`, { body, activate: true })).seq;
}

/** Everything of a role is rewritten and put live. */
async function rewriteRole(role: string): Promise<number> {
  const base = { body: "base 2\n", activate: true as const };
  unwrap(await alice.add(`${role}/_skills/base`, base));
  unwrap(await alice.add(`${role}/_skills/search`, { body: "search 2\n", activate: true }));
  const body = `Now {{role}}.\n{{> ${role}/_skills/search}}`;
  return unwrap(await alice.add(`${role}/instruction`, { body, activate: true })).seq;
}

describe("MC-13 a continued session", () => {
  it("MC-13 keeps what it was given after templates and partials have changed, on every renderer, also a new one", async () => {
    const context = { role: "reviewer", requester: "Ada" };
    const key = "mc13/instruction";
    const minSeq = await writeRole("mc13");
    const begun = unwrap(await alice.render(key, { context, minSeq }));
    expect(begun.text).toBe("You are reviewer.\nbase 1\nsearch 1 for Ada\n");
    const pins = pinsOf(begun);
    expect(pins).toEqual({ [key]: 1, "mc13/_skills/search": 1, "mc13/_skills/base": 1 });

    const expectKept = async (renderers: number, seq: number) => {
      const replies = await askEveryInstance(renderers, async () =>
        unwrap(await alice.render(key, { context, pins, minSeq: seq })),
      );
      for (const { text, hash, version, partials } of replies)
        expect({ text, hash, version, partials }).toEqual({
          text: begun.text,
          hash: begun.hash,
          version: begun.version,
          partials: begun.partials,
        });
    };
    const seq = await rewriteRole("mc13");
    await expectKept(RENDERERS, seq);
    // A session that begins now gets what is live now.
    const fresh = unwrap(await alice.render(key, { context, minSeq: seq }));
    expect(fresh.text).toBe("Now reviewer.\nsearch 2\n");
    expect(fresh.hash).not.toBe(begun.hash);

    const gone = unwrap(await alice.deactivate(key));
    expect(await alice.render(key, { context, minSeq: gone.seq })).toMatchObject({
      problem: { code: "not_active" },
    });
    await expectKept(RENDERERS, gone.seq);
    const late = await stack.startRenderer();
    onTestFinished(async () => {
      stack.renderers.splice(stack.renderers.indexOf(late), 1);
      await late.end();
    });
    await expectKept(RENDERERS + 1, gone.seq);
  });

  it("MC-13 that is held to a version which never was is refused, not given another", async () => {
    const minSeq = await writeRole("mc13-unknown");
    const context = { role: "r", requester: "q" };
    const key = "mc13-unknown/instruction";
    for (const pinned of [key, "mc13-unknown/_skills/base"])
      expect(await alice.render(key, { context, pins: { [pinned]: 9 }, minSeq })).toMatchObject({
        ok: false,
        problem: { code: "version_not_found", status: 404 },
      });
  });
});

it("MC-14 a reply says what made it, and that alone gives the same bytes again", async () => {
  const key = "mc14/instruction";
  const minSeq = await writeRole("mc14");
  const context = { role: "planner", requester: "Grace" };
  const { text, instance: _, ...transcript } = unwrap(await alice.render(key, { context, minSeq }));
  expect(transcript).toEqual({
    key,
    version: 1,
    label: "production",
    seq: expect.any(Number),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    contract: null,
    partials: [
      { key: "mc14/_skills/base", version: 1 },
      { key: "mc14/_skills/search", version: 1 },
    ],
    warnings: [],
  });
  expect(transcript.seq).toBeGreaterThanOrEqual(minSeq);

  const seq = await rewriteRole("mc14");
  const again = unwrap(await alice.render(key, { context, pins: pinsOf(transcript), minSeq: seq }));
  expect([again.text, again.hash]).toEqual([text, transcript.hash]);
  // And who wrote each of them, and put it live.
  for (const used of [{ key, version: transcript.version }, ...transcript.partials]) {
    const { actor, seq: stored } = unwrap(await alice.get(`${used.key}@${used.version}`));
    expect(actor).toBe("alice");
    expect(stored).toBeLessThanOrEqual(transcript.seq);
    const { items } = unwrap(await alice.activations(used.key));
    expect(items.filter((item) => item.seq <= transcript.seq).map(({ version }) => version)).toEqual([1]);
  }
});

it("MC-15 a skill is read as written, unrendered, byte for byte", async () => {
  const bodies = {
    windows: "# {{title}}\r\n\r\n{{#each steps}}\r\n- {{this}}\r\n{{/each}}\r\n",
    odd: "\ufeff \t{{~ title ~}}\n\n{{! note }}\\{{kept}} & <b>\u00e4\u0061\u0308\ud83c\udf0d</b>\u2028 \t\n\n\n",
    included: "{{> mc15/_partials/foot}}\r\n{{title}}",
  };
  unwrap(await author.add("mc15/_partials/foot", { kind: "partial", body: "by {{title}}" }));
  for (const [name, body] of Object.entries(bodies)) {
    const key = `mc15/${name}`;
    const { seq, version, hash } = unwrap(await author.add(key, { body }));
    const read = unwrap(await author.get(`${key}@${version}`, { minSeq: seq }));
    expect([read.body, read.hash]).toEqual([body, hash]);
    // What was read can be sent back: nothing has changed by the way there and back.
    expect(unwrap(await author.add(key, { body: read.body }))).toMatchObject({ version, unchanged: true });
  }
});

describe("MC-16 an agent that is permitted to add", () => {
  const notPermitted = (subject: string) => ({
    ok: false,
    problem: { code: "bad_request", message: `NATS does not permit this user to send to ${subject}.` },
  });

  // langfuse PR #14879: an agent created a prompt directly as production.
  it("MC-16 writes templates, and puts nothing live by whatever command", async () => {
    const key = "mc16/skill";
    const { seq } = unwrap(await alice.add(key, { body: "by alice", activate: true }));
    const added = unwrap(await author.add(key, { body: "by the author" }));
    expect(added).toMatchObject({ version: 2, activated: null });
    const before = await lastSeq();

    expect(await author.activate(key, { version: 2 })).toMatchObject(
      notPermitted("prompt.cmd.author.activate.mc16.skill"),
    );
    for (const activate of [true, "staging"] as const)
      expect(await author.add(key, { body: "at once", activate })).toMatchObject(
        notPermitted("prompt.cmd.author.add-activate.mc16.skill"),
      );
    expect(await author.deactivate(key)).toMatchObject(
      notPermitted("prompt.cmd.author.deactivate.mc16.skill"),
    );
    expect(await author.publish("mc16", { document: {} })).toMatchObject(
      notPermitted("prompt.cmd.author.publish.mc16"),
    );
    const posing = await stack.connect("alice", { user: "author", password, inboxPrefix: "_INBOX_author" });
    expect(await posing.add(key, { body: "as alice" })).toMatchObject(
      notPermitted("prompt.cmd.alice.add.mc16.skill"),
    );
    expect(await lastSeq()).toBe(before);
    expect(unwrap(await author.render(key, { minSeq: before }))).toMatchObject({
      version: 1,
      text: "by alice",
    });
    expect(seq).toBeLessThan(before);

    // Somebody who is permitted to looks at it, and puts it live.
    const { actor, body } = unwrap(await alice.get(`${key}@2`));
    expect([actor, body]).toEqual(["author", "by the author"]);
    const live = unwrap(await alice.activate(key, { version: 2 }));
    expect(unwrap(await author.render(key, { minSeq: live.seq })).text).toBe("by the author");
  });

  it("MC-16 gets no further with messages of its own making", async () => {
    const key = "mc16/raw";
    unwrap(await alice.add(key, { body: "by alice", activate: true }));
    unwrap(await author.add(key, { body: "by the author" }));
    const before = await lastSeq();
    const nats = await connect({
      servers: stack.url,
      user: "author",
      pass: password,
      inboxPrefix: "_INBOX_author",
    });
    onTestFinished(() => nats.close());
    const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
    for (const payload of [
      { body: "x", activate: true },
      { body: "x", activate: "production" },
      { body: "x", expectActive: 1 },
      { body: "x", label: "production" },
      { body: "x", version: 2 },
    ]) {
      const reply = await nats.request("prompt.cmd.author.add.mc16.raw", bytes(payload), { timeout: 5_000 });
      expect(JSON.parse(new TextDecoder().decode(reply.data))).toMatchObject({
        error: { code: "bad_request" },
      });
    }
    // A reply is sent with the registry's permissions, wherever it is asked to go: to no subject of ours.
    for (const reply of [
      "prompt.cmd.alice.activate.mc16.raw",
      "prompt.cmd.author.add-activate.mc16.raw",
      "prompt.log.now.active.production.mc16.raw",
    ])
      nats.publish("prompt.cmd.author.add.mc16.raw", bytes({ body: "by the author" }), { reply });
    await nats.flush();
    // Behind them in the registry's queue: once this is answered, they are dealt with.
    unwrap(await author.add(key, { body: "by the author" }));
    expect(await lastSeq()).toBe(before);
    expect(unwrap(await author.render(key, { minSeq: before }))).toMatchObject({
      version: 1,
      text: "by alice",
    });
  });
});
