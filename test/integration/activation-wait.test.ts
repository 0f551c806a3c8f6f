import { unwrap, type Client } from "@incipit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ renderers: 3 });
  client = await stack.connect();
  for (const n of [1, 2]) unwrap(await client.add("greeting", { body: `version ${n}` }));
  await knows(3);
});
afterAll(() => stack.stop());

/** Waits until the registry knows of so many renderers, and none of them is behind. */
function knows(count: number) {
  return eventually(`${count} renderers are known`, async () => {
    const { renderers } = unwrap(await client.deactivate("greeting", { label: "nobody", wait: 100 }));
    return renderers?.known === count && renderers.behind.length === 0;
  });
}

const all = { applied: 3, known: 3, behind: [] };

describe("a command that waits for the renderers", () => {
  it("is answered once all of them serve it, so that no render after it gives what was there before", async () => {
    for (const version of [1, 2, 1, 2, 1]) {
      expect(unwrap(await client.activate("greeting", { version, wait: 10_000 }))).toMatchObject({
        changed: true,
        renderers: all,
      });
      const replies = await Promise.all(Array.from({ length: 30 }, () => client.render("greeting")));
      expect(new Set(replies.map((reply) => unwrap(reply).text))).toEqual(new Set([`version ${version}`]));
    }
  });

  it("may be an add that activates, and a deactivation; without activation, waiting makes no sense", async () => {
    const added = await client.add("other", { body: "x", activate: true, wait: 10_000 });
    expect(unwrap(added)).toMatchObject({ activated: "production", renderers: all });
    expect(unwrap(await client.deactivate("other", { wait: 10_000 })).renderers).toEqual(all);
    expect(unwrap(await client.deactivate("other", { wait: 10_000 }))).toMatchObject({
      changed: false,
      renderers: all,
    });
    const alone = await client.add("other", { body: "y", wait: 10 });
    expect(alone).toMatchObject({ ok: false, problem: { code: "bad_request", path: "wait" } });
  });

  it("waits for what was moved, not for versions stored since, which renderers do not follow", async () => {
    unwrap(await client.activate("greeting", { version: 1 }));
    unwrap(await client.add("later", { body: "stored, not live" }));
    expect(unwrap(await client.activate("greeting", { version: 1, wait: 10_000 }))).toMatchObject({
      changed: false,
      renderers: all,
    });
    expect(
      unwrap(await client.activate("later", { version: 1, dryRun: true, wait: 10_000 })).renderers,
    ).toBeUndefined();
  });

  it("is the same command with another wait: its retry waits again, and gets the first reply", async () => {
    const first = unwrap(await client.activate("greeting", { version: 2, commandId: "once", wait: 10_000 }));
    unwrap(await client.activate("greeting", { version: 1 }));
    const { renderers, ...reply } = first;
    expect(unwrap(await client.activate("greeting", { version: 2, commandId: "once" }))).toEqual(reply);
    const again = unwrap(await client.activate("greeting", { version: 2, commandId: "once", wait: 10_000 }));
    expect(again).toEqual({ ...reply, renderers });
  });
});

describe("a renderer that does not answer", () => {
  it("holds nothing up beyond the wait, is named, holds up no other command, and is waited for once it is back", async () => {
    const stopped = stack.renderers[2];
    if (stopped === undefined) throw new Error("there is no third renderer");
    process.kill(stopped.pid, "SIGSTOP");
    try {
      const waiting = client.activate("greeting", { version: 2, wait: 600 });
      // Settled behind the one that waits, and answered long before it.
      const order: string[] = [];
      void waiting.then(() => order.push("waited"));
      unwrap(await client.add("meanwhile", { body: "x" }));
      order.push("meanwhile");
      const { renderers } = unwrap(await waiting);
      expect(order).toEqual(["meanwhile", "waited"]);
      expect(renderers).toEqual({ applied: 2, known: 3, behind: [expect.any(String)] });
    } finally {
      process.kill(stopped.pid, "SIGCONT");
    }
    expect(unwrap(await client.activate("greeting", { version: 2, wait: 10_000 })).renderers).toEqual(all);
  });

  it("and never will again is named as long as it is known, and then forgotten", async () => {
    await stack.renderers[2]?.end("SIGKILL");
    const { renderers } = unwrap(await client.activate("greeting", { version: 1, wait: 300 }));
    expect(renderers).toMatchObject({ applied: 2, known: 3 });
    await knows(2);
    expect(unwrap(await client.activate("greeting", { version: 2, wait: 10_000 })).renderers).toEqual({
      applied: 2,
      known: 2,
      behind: [],
    });
  });
});

describe("a registry that is told to stop", () => {
  it("answers what waits, with what is known, and ends", async () => {
    const stopped = stack.renderers[1];
    process.kill(stopped?.pid ?? 0, "SIGSTOP");
    try {
      const waiting = client.activate("greeting", { version: 1, wait: 60_000 });
      await eventually(
        "the activation is stored",
        async () => unwrap(await client.get("greeting")).version === 1,
      );
      expect(await stack.registries[0]?.end()).toEqual({ code: 0, signal: null });
      expect(unwrap(await waiting)).toMatchObject({ changed: true, renderers: { known: 2 } });
    } finally {
      process.kill(stopped?.pid ?? 0, "SIGCONT");
    }
  });

  it("and started again without any renderer, says so at once", async () => {
    for (const renderer of stack.renderers.slice(0, 2)) await renderer.end();
    await stack.startRegistry(0);
    expect(unwrap(await client.activate("greeting", { version: 2, wait: 60_000 })).renderers).toEqual({
      applied: 0,
      known: 0,
      behind: [],
    });
  });
});
