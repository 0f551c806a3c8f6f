import { createMemoryLog, type EventLog } from "@incipit/bus";
import { admit, CHAIN_START, type ChainState } from "@incipit/events";
import { afterEach, describe, expect, test } from "vitest";
import { projectionOptions } from "../../testing/scenario.ts";
import { dump, startAlone, startOn, type TestRegistry } from "../../testing/registry.ts";

const running: TestRegistry[] = [];
const kept = <R extends TestRegistry>(registry: R) => (running.push(registry), registry);
afterEach(async () => {
  await Promise.all(running.splice(0).map((registry) => registry.stop()));
});

/** Checks the whole log: every message valid, one chain. Returns its subjects. */
async function readLog(log: EventLog): Promise<string[]> {
  const { lastSeq } = await log.info();
  const found: string[] = [];
  let chain: ChainState = CHAIN_START;
  for (let seq = 1; seq <= lastSeq; seq++) {
    const record = await log.get(seq);
    if (record === null) throw new Error(`nothing at ${seq}`);
    const admitted = admit(record, chain, projectionOptions.admission);
    if (admitted.status !== "event") throw new Error(`${seq} is not valid`);
    chain = admitted.chain;
    found.push(record.subject);
  }
  return found;
}

describe("one registry", () => {
  test("answers only once its own queries show what was done", async () => {
    const { log, registry } = await startAlone();
    kept(registry);
    const reply = await registry.command("add", "support/triage", {
      body: "Hello",
      activate: true,
      note: "first",
    });
    expect(reply).toMatchObject({
      key: "support/triage",
      version: 1,
      seq: 2,
      activated: "production",
      findings: [],
    });
    expect(await registry.query("get", "support/triage")).toMatchObject({
      version: 1,
      body: "Hello",
      actor: "alice",
      note: "first",
      labels: ["production"],
      created: reply["created"],
    });
    expect(await readLog(log)).toEqual([
      "prompt.log.version.1.support.triage",
      "prompt.log.now.active.production.support.triage",
    ]);
  });

  test.each(["loseNextAck", "loseNextMessage"] as const)(
    "%s: the command is done once all the same",
    async (loss) => {
      const { log, controls, registry } = await startAlone();
      kept(registry);
      controls[loss]();
      const reply = await registry.command("add", "a", { body: "x", activate: true });
      expect(reply).toMatchObject({ version: 1, seq: 2 });
      expect(await readLog(log)).toHaveLength(2);
    },
  );

  test("while the log is out of reach commands are unavailable, and queries go on", async () => {
    const { controls, registry } = await startAlone({ patienceMs: 200 });
    kept(registry);
    await registry.command("add", "a", { body: "x" });
    controls.disconnect();
    const started = performance.now();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => registry.tryCommand("add", `b${i}`, { body: "x" })),
    );
    expect(results.map((result) => (result.ok ? "done" : result.problem.code))).toEqual(
      Array.from({ length: 20 }, () => "unavailable"),
    );
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await registry.query("versions", "a")).toMatchObject({ total: 1 });
    controls.reconnect();
    expect(await registry.command("add", "a", { body: "y" })).toMatchObject({ version: 2 });
  });

  test("an event of a later release stops commands and nothing else", async () => {
    const { log, controls, registry } = await startAlone();
    kept(registry);
    await registry.command("add", "a", { body: "x" });
    const first = await log.get(1);
    if (first === null) throw new Error("nothing stored");
    const envelope = JSON.parse(new TextDecoder().decode(first.payload)) as object;
    const status = await registry.query("status", undefined);
    const { head } = status["chain"] as { head: string };
    const later = { ...envelope, type: "TemplateRetired", index: 2, prev: head, data: {} };
    controls.write("prompt.log.now.retired.a", new TextEncoder().encode(JSON.stringify(later)));
    expect(await registry.query("status", undefined, { minSeq: 2 })).toMatchObject({
      newerThanUs: { seq: 2, type: "TemplateRetired", v: 1 },
      rejected: { count: 0 },
    });
    expect(await registry.tryCommand("add", "b", { body: "x" })).toMatchObject({
      problem: { code: "unavailable" },
    });
    expect(await registry.query("versions", "a")).toMatchObject({ total: 1 });
  });

  test("what others write into the log is skipped, and commands go on behind it", async () => {
    const { controls, registry } = await startAlone();
    kept(registry);
    await registry.command("add", "a", { body: "x" });
    controls.write("prompt.log.now.seed.a", new TextEncoder().encode("{}"));
    expect(await registry.command("add", "a", { body: "y" })).toMatchObject({ version: 2, seq: 3 });
    expect(await registry.query("status", undefined)).toMatchObject({
      seq: 3,
      chain: { index: 2 },
      rejected: { count: 1, latest: [{ seq: 2, subject: "prompt.log.now.seed.a" }] },
    });
  });

  test("a command that was decided on a log made anew meanwhile is decided again on the new one", async () => {
    const { log, controls } = createMemoryLog();
    let beforeNext = () => {};
    const remade = (act: () => void) => (beforeNext = () => ((beforeNext = () => {}), act()));
    const registry = kept(
      await startOn({
        ...log,
        append: (...all) => (beforeNext(), log.append(...all)),
        info: () => (beforeNext(), log.info()),
      }),
    );
    await registry.command("add", "a", { body: "x" });

    remade(controls.reset);
    const refused = await registry.tryCommand("activate", "a", { version: 9 });
    expect(refused).toMatchObject({ ok: false, problem: { code: "key_not_found" } });

    await registry.command("add", "a", { body: "x" });
    remade(() => {
      controls.reset();
      controls.write("prompt.log.now.seed.a", new TextEncoder().encode("as many messages as before"));
    });
    // Appended behind the wrong message, and so skipped by all; then again where it belongs.
    expect(await registry.command("add", "a", { body: "y" })).toMatchObject({ version: 1, seq: 3 });
    expect(await registry.query("status", undefined)).toMatchObject({ rejected: { count: 2 } });
  });

  test("an event that its own projection would reject is a bug, found out at the first", async () => {
    const { log, registry } = await startAlone({ ports: { checkSignature: () => "it is not signed" } });
    kept(registry);
    await expect(registry.tryCommand("add", "a", { body: "x" })).rejects.toThrow(/it is not signed/);
    expect((await log.info()).lastSeq).toBe(1);
  });

  test("what is thrown while appending is a bug: it is told at once, and nothing is sent again", async () => {
    const { log } = createMemoryLog();
    let appends = 0;
    const broken: EventLog = {
      ...log,
      append: async () => {
        appends++;
        throw new TypeError("not a function");
      },
    };
    const registry = kept(await startOn(broken));
    await expect(registry.tryCommand("add", "a", { body: "x" })).rejects.toThrow(/not a function/);
    expect(appends).toBe(1);
    const unsigned = kept(
      await startOn(log, {
        ports: {
          sign: () => {
            throw new Error("no key");
          },
        },
      }),
    );
    await expect(unsigned.tryCommand("add", "a", { body: "x" })).rejects.toThrow(/no key/);
    expect((await log.info()).lastSeq).toBe(0);
  });

  test.each([
    ["than the server takes", "x", 500, /takes \d+ bytes in the log, the limit is 500/],
    ["than an event may be", "\u0001".repeat(200 * 1024), undefined, /bytes in the log/],
  ])("what is larger %s is too large, at once", async (_, body, maxBytes, message) => {
    const { log } = createMemoryLog(maxBytes === undefined ? {} : { maxBytes });
    const registry = kept(await startOn(log));
    const result = await registry.tryCommand("add", "a", { body, syntax: "plain", activate: true });
    expect(result).toMatchObject({
      problem: { code: "too_large", message: expect.stringMatching(message) },
    });
    expect((await log.info()).lastSeq).toBe(0);
  });

  test("a field __proto__ in a config, at any depth, is refused by name", async () => {
    const { log, registry } = await startAlone();
    kept(registry);
    for (const config of ['{"__proto__":1}', '{"a":[{"b":{"__proto__":{}}}]}'])
      expect(
        await registry.tryCommand("add", "a", { body: "x", config: JSON.parse(config) as object }),
      ).toMatchObject({ problem: { code: "bad_request", message: expect.stringContaining("__proto__") } });
    expect((await log.info()).lastSeq).toBe(0);
  });
});

describe("several registries on one log", () => {
  test("50 parallel adds on one key through two of them give the versions 1 to 50", async () => {
    const { log } = createMemoryLog();
    const both = [kept(await startOn(log)), kept(await startOn(log))];
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => both[i % 2]?.command("add", "k", { body: `body ${i}` })),
    );
    const versions = replies.map((reply) => Number(reply?.["version"]));
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(await readLog(log)).toHaveLength(50);
    const seqs = replies.map((reply) => Number(reply?.["seq"]));
    for (const registry of both) await registry.query("status", undefined, { minSeq: Math.max(...seqs) });
    const [one, other] = await Promise.all(both.map(dump));
    expect(one).toBe(other);
  });

  test("a retry gets the first reply byte for byte from whichever answers, also after all were started anew", async () => {
    const { log } = createMemoryLog();
    const first = await startOn(log);
    const second = kept(await startOn(log));
    const sent = { body: "x", commandId: "c-1", activate: "staging" };
    const reply = JSON.stringify(await first.command("add", "a", sent));
    await second.command("add", "a", { body: "y", activate: "staging" });
    expect(JSON.stringify(await second.command("add", "a", sent))).toBe(reply);
    await first.stop();
    const third = kept(await startOn(log));
    expect(JSON.stringify(await third.command("add", "a", sent))).toBe(reply);
    expect((await log.info()).lastSeq).toBe(4);
    expect(await third.tryCommand("add", "a", { ...sent, body: "z" })).toMatchObject({
      problem: { code: "command_reused" },
    });
    expect(await third.tryCommand("add", "b", sent)).toMatchObject({ problem: { code: "command_reused" } });
  });

  test("a parallel retry of one command through two of them is stored once", async () => {
    const { log } = createMemoryLog();
    const both = [kept(await startOn(log)), kept(await startOn(log))];
    const sent = { body: "x", commandId: "c-1", activate: true };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => both[i % 2]?.command("add", "a", sent)),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect((await log.info()).lastSeq).toBe(2);
  });

  test("one that is behind catches up before it refuses", async () => {
    const { log } = createMemoryLog();
    const one = kept(await startOn(log));
    const other = kept(await startOn(log));
    for (let i = 1; i <= 20; i++) {
      await one.command("add", "a", { body: `x${i}` });
      expect(
        await other.command("activate", "a", { version: i, expectActive: i === 1 ? null : i - 1 }),
      ).toMatchObject({
        version: i,
        changed: true,
      });
    }
  });

  test("of two conditional commands that expect the same, one wins", async () => {
    const { log } = createMemoryLog();
    const both = [kept(await startOn(log)), kept(await startOn(log))];
    const results = await Promise.all(
      both.map((registry, i) => registry.tryCommand("add", "a", { body: `x${i}`, expectNewest: null })),
    );
    expect(results.map((result) => (result.ok ? "done" : result.problem.code)).toSorted()).toEqual([
      "conflict",
      "done",
    ]);
  });
});
