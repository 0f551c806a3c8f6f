import { unwrap } from "@incipit/client";
import { afterEach, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const exact = (version: number) => `version ${version}`;

/** Asks every renderer until each has answered so; an answer that `accepts` refuses fails at once. */
async function everyRendererServes(stack: Stack, text: string, minSeq: number) {
  const client = await stack.connect("agent", { timeoutMs: 20_000 });
  const instances = new Set<string | null>();
  while (instances.size < stack.renderers.length) {
    const reply = unwrap(await client.render("greeting", { minSeq, timeoutMs: 20_000 }));
    if (reply.fallback) throw new Error("no fallback was given");
    expect(reply.text).toBe(text);
    expect(reply.stale).toBeUndefined();
    instances.add(reply.instance);
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
    expect(unwrap(await client.status())).toMatchObject({ rejected: { count: 0 }, lag: 0 });
  });

  it("in mid-burst: nothing acknowledged is lost, nothing is doubled, the chain holds", async () => {
    stack = await startStack({ registries: 2, renderers: 2 });
    const client = await stack.connect("alice", { timeoutMs: 40_000 });
    let version = 0;
    let last = 0;
    const total = 120;
    const { nats } = stack;
    let restart: Promise<void> | undefined;
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
    await everyRendererServes(stack, exact(total), last);
    const status = unwrap(await client.status({ minSeq: last }));
    expect(status.chain.index).toBe(total * 2);
    expect(status.rejected.count).toBe(0);
  });
});
