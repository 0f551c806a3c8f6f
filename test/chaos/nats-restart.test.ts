import { unwrap } from "@incipit/client";
import { afterEach, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const exact = (version: number) => `version ${version}`;

/** Asks until every renderer has answered so from a live log; any other text fails at once. */
async function everyRendererServes(stack: Stack, text: string, minSeq: number) {
  const client = await stack.connect("agent", { timeoutMs: 20_000 });
  const instances = new Set<string | null>();
  while (instances.size < stack.renderers.length) {
    const reply = unwrap(
      await client.render("greeting", { minSeq, timeoutMs: 20_000, retryNoResponders: true }),
    );
    if (reply.fallback) throw new Error("no fallback was given");
    expect(reply.text).toBe(text);
    // One that has just come back may say so for a moment.
    if (!reply.stale) instances.add(reply.instance);
  }
}

// nats.rs #1596, nats.go #1094, nats.deno #688: watchers that stayed silent after a server restart.
describe("nats-server killed and restarted", () => {
  it("while all is idle: services reconnect, and serve the next activation", async () => {
    stack = await startStack({ renderers: 2 });
    const client = await stack.connect("alice", { timeoutMs: 20_000 });
    unwrap(await client.add("greeting", { body: exact(1), activate: true }));
    for (let round = 2; round <= 3; round++) {
      await stack.nats.kill();
      await stack.nats.restart();
      const added = unwrap(
        await client.add("greeting", { body: exact(round), activate: true, retryNoResponders: true }),
      );
      expect(added.version).toBe(round);
      await everyRendererServes(stack, exact(round), added.seq);
    }
    expect(unwrap(await client.status({ retryNoResponders: true }))).toMatchObject({
      rejected: { count: 0 },
      lag: 0,
    });
  });

  it("in mid-burst: nothing acknowledged is lost, nothing is doubled, the chain holds", async () => {
    stack = await startStack({ registries: 2, renderers: 2 });
    const client = await stack.connect("alice", { timeoutMs: 40_000 });
    let version = 1;
    let { seq: last } = unwrap(await client.add("greeting", { body: exact(1), activate: true }));
    await everyRendererServes(stack, exact(1), last);
    const total = 120;
    const { nats } = stack;
    let restart: Promise<void> | undefined;
    // Renders go on all the while: what is answered is a version that is or was live..
    const agent = await stack.connect("agent", { timeoutMs: 1_000 });
    const burst = { over: false };
    const renders = (async () => {
      let answered = 0;
      while (!burst.over) {
        const reply = await agent.render("greeting", {});
        if (!reply.ok) {
          expect(reply.problem.code).toMatch(/^(no_responders|unavailable|timeout)$/);
          continue;
        }
        if (reply.value.fallback) throw new Error("no fallback was given");
        expect(reply.value.text).toBe(exact(reply.value.version));
        expect(reply.value.version).toBeLessThanOrEqual(version + 1);
        answered++;
      }
      return answered;
    })();
    while (version < total) {
      const added = unwrap(
        await client.add("greeting", { body: exact(version + 1), activate: true, retryNoResponders: true }),
      );
      version++;
      expect(added.version).toBe(version);
      last = added.seq;
      // Not awaited: the next commands run into the outage.
      if (version % 40 === 0) {
        await restart;
        restart = nats.kill().then(() => nats.restart());
      }
    }
    await restart;
    burst.over = true;
    expect(await renders).toBeGreaterThan(0);
    await everyRendererServes(stack, exact(total), last);
    const status = unwrap(await client.status({ minSeq: last, retryNoResponders: true }));
    expect(status.chain.index).toBe(total * 2);
    expect(status.rejected.count).toBe(0);
  });
});

describe("the log out of reach while the bus works on", () => {
  it("is answered from memory and says so, never from the seed; what is not in memory is unavailable", async () => {
    stack = await startStack({ renderers: 2, throughLeaf: true });
    const client = await stack.connect("alice", { timeoutMs: 20_000 });
    unwrap(await client.add("greeting", { body: exact(1), activate: true }));
    const { seq } = unwrap(await client.add("unused", { body: "never asked for", activate: true }));
    await everyRendererServes(stack, exact(1), seq);

    await stack.nats.kill();
    const stale = new Set<string | null>();
    while (stale.size < 2) {
      const reply = unwrap(await client.render("greeting", {}));
      if (reply.fallback) throw new Error("no fallback was given");
      expect(reply.text).toBe(exact(1));
      if (reply.stale) stale.add(reply.instance);
    }
    const unknown = await client.render("unused", { timeoutMs: 2_000 });
    expect(unknown).toMatchObject({ ok: false, problem: { code: "unavailable", status: 503 } });
    const ahead = await client.render("greeting", { minSeq: seq + 1, timeoutMs: 500 });
    expect(ahead).toMatchObject({ ok: false, problem: { code: "not_caught_up" } });
    const command = await client.add("greeting", { body: exact(2), timeoutMs: 8_000 });
    // Told by the registry, or by the client whose last attempt ran out of time.
    expect(command.ok ? "" : command.problem.code).toMatch(/^(unavailable|timeout)$/);
    expect(unwrap(await client.get("greeting", {}))).toMatchObject({ body: exact(1) });

    await stack.nats.restart();
    const added = unwrap(await client.add("greeting", { body: exact(3), activate: true, timeoutMs: 30_000 }));
    await everyRendererServes(stack, exact(3), added.seq);
    expect(unwrap(await client.render("unused", { minSeq: added.seq })).text).toBe("never asked for");
  });
});
