import { unwrap } from "@incipit/client";
import { afterEach, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const withoutInstance = <T extends { instance: string | null }>({ instance: _, ...reply }: T) => reply;

describe("several registry instances", () => {
  // langfuse PR #15923: concurrent creates failed on a unique constraint.
  it("give 50 parallel adds on one key the versions 1 to 50 exactly", async () => {
    stack = await startStack({ registries: 2, renderers: 0 });
    const alice = await stack.connect("alice");
    const bob = await stack.connect("bob");
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? alice : bob).add("busy", { body: `Body ${n}` })),
    );
    const replies = results.map(unwrap);
    expect(replies.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
    expect(new Set(replies.map(({ instance }) => instance)).size).toBe(2);

    const client = await stack.connect();
    const minSeq = Math.max(...replies.map(({ seq }) => seq));
    for (const { version, hash } of replies)
      expect(unwrap(await client.get(`busy@${version}`, { minSeq }))).toMatchObject({ version, hash });
    expect(unwrap(await client.status({ minSeq }))).toMatchObject({
      rejected: { count: 0 },
      chain: { index: 50 },
    });
  });

  it("give a retried command its first reply again, also after both have restarted", async () => {
    stack = await startStack({ registries: 2, renderers: 0 });
    const client = await stack.connect("alice");
    const add = { body: "Hello {{name}}", activate: true as const, note: "first", commandId: "deploy-17" };
    const activate = { version: 1, label: "staging", commandId: "promote-17" };
    const first = withoutInstance(unwrap(await client.add("greeting", add)));
    const moved = withoutInstance(unwrap(await client.activate("greeting", activate)));
    unwrap(await client.add("greeting", { body: "Something newer", activate: true }));
    const { seq } = unwrap(await client.status());

    const instances = new Set<string | null>();
    async function retryUntilBothAnswered() {
      instances.clear();
      while (instances.size < 2) {
        const again = unwrap(await client.add("greeting", add));
        instances.add(again.instance);
        expect(withoutInstance(again)).toEqual(first);
        expect(withoutInstance(unwrap(await client.activate("greeting", activate)))).toEqual(moved);
      }
    }
    await retryUntilBothAnswered();
    await Promise.all(stack.registries.map((registry) => registry.end()));
    await Promise.all([stack.startRegistry(0), stack.startRegistry(1)]);
    await retryUntilBothAnswered();
    expect(unwrap(await client.status()).seq).toBe(seq);

    expect(await client.add("greeting", { ...add, body: "Another body" })).toMatchObject({
      ok: false,
      problem: { code: "command_reused" },
    });
    expect(await client.deactivate("greeting", { commandId: "deploy-17" })).toMatchObject({
      ok: false,
      problem: { code: "command_reused" },
    });
  });

  it("let exactly one of two conditional commands win", async () => {
    stack = await startStack({ registries: 2, renderers: 0 });
    const client = await stack.connect("alice");
    unwrap(await client.add("greeting", { body: "one" }));
    for (let newest = 1; newest <= 20; newest++) {
      const replies = await Promise.all(
        ["left", "right"].map((side) =>
          client.add("greeting", { body: `${side} ${newest}`, expectNewest: newest }),
        ),
      );
      const refusals = replies.flatMap((reply) => (reply.ok ? [] : [reply.problem]));
      expect(refusals).toMatchObject([{ code: "conflict" }]);
      expect(refusals[0]?.message).toContain(String(newest + 1));
    }
  });
});
