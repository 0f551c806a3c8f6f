import type { Bus, RpcAnswer, RpcCall } from "@incipit/bus";
import { createSubjects } from "@incipit/events";
import { ok, refuse, type ErrorCode, type Result } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { activate, add, type Commander } from "./commands.ts";
import { unwrap } from "./error.ts";
import { get, list, listAll } from "./queries.ts";
import { render } from "./render.ts";

/** A client over a bus that answers as told, and what was sent over it. */
function over(...answers: Result<RpcAnswer>[]) {
  const sent: RpcCall[] = [];
  let ids = 0;
  let time = 0;
  const commander: Commander = {
    bus: {
      request: async (call) => {
        sent.push(call);
        time += 10;
        return answers[Math.min(sent.length, answers.length) - 1] ?? refuse("internal", "no answer");
      },
    },
    subjects: createSubjects(),
    timeoutMs: 1_000,
    retryNoResponders: false,
    world: { now: () => time, sleep: async (ms) => void (time += ms), random: () => 0.5 },
    actor: "alice",
    createId: () => `id-${++ids}`,
  };
  return { commander, sent };
}
const from = (body: unknown): Result<RpcAnswer> => ok({ body, instance: "r1" });
const rendered = {
  key: "a/b",
  version: 2,
  label: "production",
  seq: 9,
  hash: "00",
  contract: null,
  text: "Hello",
  partials: [],
  warnings: [],
};
const added = {
  key: "a/b",
  version: 1,
  hash: "00",
  seq: 3,
  created: "2026-01-01T00:00:00.000Z",
  activated: null,
  findings: [],
  warnings: [],
};

describe("render", () => {
  it("asks on the key's subject and says which instance answered", async () => {
    const { commander, sent } = over(from(rendered));
    const result = await render(commander, "a/b@staging", { context: { name: "x" } });
    expect(result).toEqual(ok({ ...rendered, instance: "r1" }));
    expect(sent[0]).toMatchObject({ subject: "prompt.render.a.b", template: "prompt.render" });
    expect(JSON.parse(JSON.stringify(sent[0]?.body))).toEqual({ context: { name: "x" }, label: "staging" });
  });

  it("lets the service wait for a position no longer than an attempt may take", async () => {
    const { commander, sent } = over(from(rendered));
    await render(commander, "a/b", { minSeq: 7, timeoutMs: 1_000 });
    expect(sent[0]?.timeoutMs).toBe(500);
    expect(sent[0]?.body).toMatchObject({ minSeq: 7, timeoutMs: 400 });
  });

  it("passes on fields of a later release", async () => {
    const { commander } = over(from({ ...rendered, segments: [] }));
    expect(await render(commander, "a/b", {})).toMatchObject({ ok: true, value: { segments: [] } });
  });

  it("refuses a reply that is none", async () => {
    const { commander } = over(from({ ...rendered, text: 1 }));
    expect(await render(commander, "a/b", {})).toMatchObject({ problem: { code: "internal" } });
  });

  it.each(["no_responders", "timeout", "unavailable"] as const)(
    "gives the fallback text on %s, marked, after one attempt",
    async (code) => {
      const { commander, sent } = over(refuse(code, "gone"));
      const result = await render(commander, "a/b", { fallback: "Hi" });
      expect(result).toMatchObject({ value: { text: "Hi", fallback: true, problem: { code } } });
      expect(sent).toHaveLength(1);
    },
  );

  it.each<ErrorCode>([
    "bad_context",
    "key_not_found",
    "not_active",
    "field_missing",
    "internal",
    "not_caught_up",
  ])("never gives the fallback text for %s", async (code) => {
    const { commander } = over(refuse(code, "no"));
    expect(await render(commander, "a/b", { fallback: "Hi" })).toMatchObject({ problem: { code } });
  });

  it.each([
    ["a..b", {}, "bad_key"],
    ["a/b@", {}, "bad_request"],
    ["a/b@3", { label: "staging" }, "bad_request"],
    ["a/b", { label: "staging", version: 3 }, "bad_request"],
    ["a/b", { pins: { "../x": 1 } }, "bad_key"],
    ["a/b", { fallbackKeys: ["a b"] }, "bad_key"],
    ["a/b", { context: { text: "x".repeat(512 * 1024) } }, "too_large"],
  ] as const)("refuses %s with %j as %s and sends nothing", async (ref, options, code) => {
    const { commander, sent } = over(from(rendered));
    expect(await render(commander, ref, { ...options, fallback: "Hi" } as object)).toMatchObject({
      problem: { code },
    });
    expect(sent).toEqual([]);
  });
});

describe("commands", () => {
  it("carry who sends them, and one id for all attempts of a call", async () => {
    const { commander, sent } = over(refuse("timeout", "lost"), refuse("unavailable", "gone"), from(added));
    expect(await add(commander, "a/b", { body: "x" })).toEqual(ok({ ...added, instance: "r1" }));
    expect(sent.map(({ subject }) => subject)).toEqual(Array(3).fill("prompt.cmd.alice.add.a.b"));
    for (const { body } of sent) expect(body).toEqual({ body: "x", commandId: "id-1" });
    await add(commander, "a/b", { body: "x", commandId: "mine" });
    expect(sent.at(-1)?.body).toEqual({ body: "x", commandId: "mine" });
  });

  it("that add go on a subject of their own where they activate too, so that permissions can tell them apart", async () => {
    const { commander, sent } = over(from(added), from(added));
    await add(commander, "a/b", { body: "x", activate: true });
    await add(commander, "a/b", { body: "x", activate: "staging" });
    expect(sent.map(({ subject }) => subject)).toEqual(Array(2).fill("prompt.cmd.alice.add-activate.a.b"));
  });

  it("are refused without an actor, with a bad key, and where the body is too large", async () => {
    const { commander, sent } = over(from(added));
    const nobody = { ...commander, actor: undefined };
    expect(await activate(nobody, "a/b", { version: 1 })).toMatchObject({ problem: { code: "bad_request" } });
    expect(await activate({ ...commander, actor: "a.b" }, "a/b", { version: 1 })).toMatchObject({
      problem: { code: "bad_request" },
    });
    expect(await activate(commander, "/a", { version: 1 })).toMatchObject({ problem: { code: "bad_key" } });
    expect(await add(commander, "a", { body: "ä".repeat(128 * 1024 + 1) })).toMatchObject({
      problem: { code: "too_large" },
    });
    expect(sent).toEqual([]);
  });
});

describe("queries", () => {
  const page = (keys: string[], after: string | null) =>
    from({
      items: keys.map((key) => ({
        key,
        kind: "prompt",
        syntax: "plain",
        contract: null,
        tags: [],
        active: null,
        newest: 1,
        seed: false,
        labels: {},
      })),
      total: 3,
      after,
    });

  it("walk through all pages", async () => {
    const { commander, sent } = over(page(["a", "b"], "b"), page(["c"], null));
    const keys: string[] = [];
    for await (const { key } of listAll(commander, { limit: 2, prefix: "" })) keys.push(key);
    expect(keys).toEqual(["a", "b", "c"]);
    expect(sent.map(({ body }) => body)).toEqual([
      { limit: 2, prefix: "" },
      { limit: 2, prefix: "", after: "b" },
    ]);
  });

  it("stop walking with the refusal as an exception", async () => {
    const { commander } = over(page(["a"], "a"), refuse("bad_request", "no such page"));
    const walk = async () => {
      for await (const _ of listAll(commander, {})) continue;
    };
    await expect(walk()).rejects.toMatchObject({ name: "IncipitError", code: "bad_request", status: 400 });
  });

  it("read a version or a label from the ref, and refuse both", async () => {
    const { commander, sent } = over(refuse("version_not_found", "none"));
    expect(await get(commander, "a/b@3", {})).toMatchObject({ problem: { code: "version_not_found" } });
    expect(sent[0]).toMatchObject({ subject: "prompt.query.get.a.b", body: { version: 3 } });
    expect(await get(commander, "a/b@3", { label: "x" })).toMatchObject({ problem: { code: "bad_request" } });
    expect(sent).toHaveLength(1);
  });

  it("can be unwrapped", async () => {
    const { commander } = over(page(["a"], null));
    expect(unwrap(await list(commander, {})).items).toHaveLength(1);
  });
});

describe("a refusal for want of a reply", () => {
  it("tells of the whole call, not of its last attempt", async () => {
    const { commander } = over(refuse("timeout", "No reply came within 467 ms."));
    expect(await render(commander, "a/b", { timeoutMs: 1_000 })).toMatchObject({
      problem: { code: "timeout", message: "No reply came within 1000 ms." },
    });
  });

  it("speaks of what may have been done only where something can have been", async () => {
    const { commander, sent } = over(refuse("timeout", "gone"));
    expect(await add(commander, "a/b", { body: "x" })).toMatchObject({
      problem: { message: "No reply came within 1000 ms. Whether the command was carried out is not known." },
    });
    await list(commander, {});
    expect([sent[0]?.isCommand, sent.at(-1)?.isCommand]).toEqual([true, false]);
  });
});

describe("a closed client", () => {
  const bus = {
    request: async () => refuse("unavailable", "closed"),
    close: async () => {},
  } as unknown as Bus;

  it("throws for whatever is asked of it, also with a fallback text", async () => {
    const client = await createClient({ bus, actor: "alice" });
    expect(await client.render("a/b", { fallback: "Hi" })).toMatchObject({ value: { fallback: true } });
    await client.close();
    await expect(client.render("a/b", { fallback: "Hi" })).rejects.toThrow("This client is closed.");
    await expect(client.add("a/b", { body: "x" })).rejects.toThrow("closed");
    await expect(client.status()).rejects.toThrow("closed");
    await expect(client.instances("incipit-renderer")).rejects.toThrow("closed");
    await expect(client.listAll().next()).rejects.toThrow("closed");
    expect(() => client.log()).toThrow("closed");
  });
});
