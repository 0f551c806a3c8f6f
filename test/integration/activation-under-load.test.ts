import { unwrap } from "@incipit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

const IN_FLIGHT = 60;
const ACTIVATIONS = 1_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ renderers: 3 });
});
afterAll(() => stack.stop());

describe("three renderers under constant load", () => {
  // langfuse #7736, #11882, #5908: an old version was served after a new one had been made the production one.
  it("serve every activation at once, lose no request and give no error", async () => {
    const admin = await stack.connect("alice");
    const agents = await Promise.all(Array.from({ length: 3 }, () => stack.connect("agent")));
    unwrap(await admin.add("_partials/mark", { kind: "partial", body: "[A {{n}}]", activate: true }));
    const { seq: minSeq } = unwrap(
      await admin.add("greeting", { body: "{{> _partials/mark}} version one", activate: true }),
    );
    unwrap(await admin.add("greeting", { body: "{{> _partials/mark}} version two" }));
    let active = 1;
    const words = { 1: "version one", 2: "version two" } as Record<number, string>;

    const served = new Map<string, number>();
    const run = { stopped: false };
    let answers = 0;
    const load = Array.from({ length: IN_FLIGHT }, async (_, worker) => {
      const agent = agents[worker % agents.length] ?? admin;
      for (let n = worker; !run.stopped; n += IN_FLIGHT) {
        const reply = unwrap(await agent.render("greeting", { context: { n }, minSeq }));
        expect(reply.fallback).toBeUndefined();
        if (reply.fallback) continue;
        expect(reply.text).toBe(`[A ${n}] ${words[reply.version]}`);
        answers++;
        served.set(reply.instance ?? "", (served.get(reply.instance ?? "") ?? 0) + 1);
      }
    });
    const failed = Promise.all(load).then(() => new Promise<never>(() => {})); // settles only by rejecting

    const reader = agents[0] ?? admin;
    for (let round = 0; round < ACTIVATIONS; round++) {
      const version = active === 1 ? 2 : 1;
      const activated = unwrap(await Promise.race([admin.activate("greeting", { version }), failed]));
      expect(activated).toMatchObject({ version, changed: true, previous: active });
      active = version;
      // As many as there are renderers, so that most rounds reach each of them.
      const replies = await Promise.all(
        Array.from({ length: 3 }, () =>
          reader.render("greeting", { context: { n: round }, minSeq: activated.seq }),
        ),
      );
      for (const reply of replies.map(unwrap)) {
        expect(reply.text).toBe(`[A ${round}] ${words[version]}`);
        if (!reply.fallback) expect(reply.seq).toBeGreaterThanOrEqual(activated.seq);
      }
    }
    run.stopped = true;
    await Promise.all(load);
    expect(served.size).toBe(3);
    expect(answers).toBeGreaterThan(ACTIVATIONS);
  });
});
