import { randomUUID } from "node:crypto";
import { unwrap, type Client } from "@incipit/client";
import { encodeEnvelope, type Envelope } from "@incipit/events";
import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let client: Client;
let nats: NatsConnection;
let key: string;
let keys = 0;
beforeAll(async () => {
  stack = await startStack({ renderers: 1 });
  client = await stack.connect();
  nats = await connect({ servers: stack.url });
});
afterAll(async () => {
  await nats.close();
  await stack.stop();
});
beforeEach(async () => {
  key = `foreign-${++keys}`;
  unwrap(await client.add(key, { body: "one", activate: true }));
  unwrap(await client.add(key, { body: "two" }));
});

/** Stores a message past the registry; its position. */
async function store(subject: string, payload: Uint8Array | string): Promise<number> {
  const { seq } = await nats.jetstream().publish(subject, payload);
  return seq;
}

/** An envelope that stands on no chain. */
const forged = (change: Pick<Envelope, "type" | "index" | "data">): string =>
  encodeEnvelope({
    id: randomUUID(),
    v: 1,
    at: "2026-01-02T03:04:05.678Z",
    actor: "mallory",
    commandId: randomUUID(),
    commandHash: "a".repeat(64),
    trace: null,
    prev: "f".repeat(64),
    ...change,
  });

const active = () => `prompt.log.now.active.production.${key}`;
const lastSeq = async () => unwrap(await client.status()).seq;

/** What the registry says is what a renderer that ran all along serves, and one that starts now. */
async function expectAgreement(version: number, seq: number) {
  unwrap(await client.get(key, { minSeq: seq }));
  const { body } = unwrap(await client.get(key));
  const late = await stack.startRenderer();
  try {
    const seen = new Map<string | null, unknown>();
    await eventually("both renderers answered", async () => {
      const reply = unwrap(await client.render(key, { minSeq: seq }));
      const { text, version: served, stale } = reply;
      seen.set(reply.instance, { text, served, stale });
      return seen.size === 2;
    });
    for (const answer of seen.values())
      expect(answer).toEqual({ text: body, served: version, stale: undefined });
  } finally {
    stack.renderers.splice(stack.renderers.indexOf(late), 1);
    await late.end();
  }
}

async function expectRejected(...seqs: number[]) {
  unwrap(await client.get(key, { minSeq: Math.max(...seqs) }));
  const { rejected } = unwrap(await client.status());
  expect(rejected.latest.map(({ seq }) => seq)).toEqual(expect.arrayContaining(seqs));
}

it("an event of an unknown type that claims its position as its place does not hide the activation after it", async () => {
  const seq = (await lastSeq()) + 1;
  const junk = await store("prompt.log.now.active.qa.zzz", forged({ type: "Unheard", index: seq, data: {} }));
  const activated = unwrap(await client.activate(key, { version: 2 }));
  await expectAgreement(2, activated.seq);
  await expectRejected(junk);
});

it("an old activation that is stored again moves nothing", async () => {
  const jsm = await nats.jetstreamManager();
  const old = await jsm.streams.getMessage("PROMPTS", { last_by_subj: active() });
  unwrap(await client.activate(key, { version: 2 }));
  const again = await store(active(), old.data);
  await expectAgreement(2, again);
  await expectRejected(again);
  const back = unwrap(await client.activate(key, { version: 1 }));
  await expectAgreement(1, back.seq);
});

it("a run of old messages that is stored again, each right behind the one it followed, moves nothing", async () => {
  const jsm = await nats.jetstreamManager();
  const end = await lastSeq();
  unwrap(await client.activate(key, { version: 2 }));
  const again: number[] = [];
  for (let seq = end - 2; seq <= end; seq++) {
    const { subject, data } = await jsm.streams.getMessage("PROMPTS", { seq });
    again.push(await store(subject, data));
  }
  await expectAgreement(2, again.at(-1) ?? 0);
  await expectRejected(...again);
});

it("garbage and a forged version over the true ones are served nowhere", async () => {
  const { hash } = unwrap(await client.get(key, { version: 1 }));
  const data = {
    key,
    version: 2,
    kind: "prompt",
    syntax: "handlebars",
    body: "one",
    source: "user",
    contract: null,
    onError: "fail",
    config: null,
    tags: [],
    note: "",
    hash,
  };
  const version = await store(
    `prompt.log.version.2.${key}`,
    forged({ type: "TemplateAdded", index: 3, data }),
  );
  const { seq } = unwrap(await client.activate(key, { version: 2 }));
  const garbage = await store(active(), "garbage");
  await expectAgreement(2, Math.max(seq, garbage));
  await expectRejected(version, garbage);
  expect(unwrap(await client.render(key)).text).toBe("two");
  expect(unwrap(await client.render(key, { version: 2 })).text).toBe("two");
});

it("on a long log too, a forged activation with the very next index moves nothing", async () => {
  for (let n = 0; n < 100; n++) unwrap(await client.add(key, { body: `filling ${n}` }));
  const { seq, chain } = unwrap(await client.status());
  const late = await stack.startRenderer();
  const data = { key, label: "production", version: 2, previous: 1, note: "" };
  const junk = await store(active(), forged({ type: "TemplateActivated", index: chain.index + 1, data }));
  expect(junk).toBe(seq + 1);
  await late.line((line) => line["seq"] === junk && line.msg === "a message of the log was skipped");
  await expectAgreement(1, junk);
  await expectRejected(junk);
  stack.renderers.splice(stack.renderers.indexOf(late), 1);
  await late.end();
});
