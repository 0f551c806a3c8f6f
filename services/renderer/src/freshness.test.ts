import { describe, expect, it } from "vitest";
import { createFreshness } from "./freshness.ts";

/** A renderer that has applied some of the log, and a leader whose answers the test gives. */
function start(applied = 0) {
  const asks: { answer: (now: number, any?: number) => void; fail: () => void }[] = [];
  const state = { applied };
  const freshness = createFreshness({
    applied: () => state.applied,
    newest: () =>
      new Promise<{ now: number; any: number }>((resolve, reject) => {
        asks.push({
          answer: (now, any = Math.max(now, 1_000)) => resolve({ now, any }),
          fail: () => reject(new Error("no leader")),
        });
      }),
  });
  return {
    asks,
    reach: freshness.reach,
    apply: (seq: number) => {
      state.applied = seq;
      freshness.progressed();
    },
    progressed: freshness.progressed,
    giveUp: freshness.giveUp,
    asked: async (count: number) => {
      while (asks.length < count) await new Promise(setImmediate);
      await new Promise(setImmediate);
      expect(asks).toHaveLength(count);
    },
  };
}

describe("waiting for a position", () => {
  it("takes no question where it is applied", async () => {
    const { reach, asks } = start(5);
    expect(await reach(5, 0)).toBe(true);
    expect(asks).toHaveLength(0);
  });

  it("ends where the leader says that nothing newer concerns renderers", async () => {
    const { reach, asks, asked } = start(5);
    const reached = reach(9, 10_000);
    await asked(1);
    asks[0]?.answer(5);
    expect(await reached).toBe(true);
  });

  it("ends when what the leader named is applied", async () => {
    const { reach, asks, asked, apply } = start(5);
    const reached = reach(9, 10_000);
    await asked(1);
    asks[0]?.answer(8);
    await new Promise(setImmediate);
    apply(7);
    apply(8);
    expect(await reached).toBe(true);
  });

  it("does not wait for what came after the position asked for", async () => {
    const { reach, asks, asked, apply } = start(5);
    const reached = reach(9, 10_000);
    await asked(1);
    asks[0]?.answer(50);
    await new Promise(setImmediate);
    apply(9);
    expect(await reached).toBe(true);
  });

  it("sees what is applied while the leader is asked", async () => {
    const { reach, asks, asked, apply } = start(5);
    const reached = reach(9, 10_000);
    await asked(1);
    apply(8);
    asks[0]?.answer(8);
    expect(await reached).toBe(true);
  });

  it("ends in vain for a position that the log has not come to", async () => {
    const { reach, asks, asked } = start(5);
    const reached = reach(9, 5);
    await asked(1);
    asks[0]?.answer(5, 8);
    expect(await reached).toBe(false);
  });

  it("ends in vain at its time", async () => {
    const { reach, asks } = start(5);
    expect(await reach(9, 0)).toBe(false);
    const reached = reach(9, 5);
    asks[0]?.answer(9);
    expect(await reached).toBe(false);
  });

  it("ends in vain where the renderer stops", async () => {
    const { reach, asked, giveUp } = start(5);
    const reached = reach(9, 60_000);
    await asked(1);
    giveUp();
    expect(await reached).toBe(false);
    expect(await reach(9, 60_000)).toBe(false);
    expect(await reach(5, 60_000)).toBe(true);
  });

  it("asks again after an outage, not before anything has changed", async () => {
    const { reach, asks, asked, progressed } = start(5);
    const reached = reach(9, 10_000);
    await asked(1);
    asks[0]?.fail();
    await asked(1);
    progressed();
    await asked(2);
    asks[1]?.answer(5);
    expect(await reached).toBe(true);
  });

  it("never takes an answer to a question that was asked before the request came", async () => {
    const { reach, asks, asked } = start(5);
    const first = reach(9, 10_000);
    await asked(1);
    const others = [reach(10, 10_000), reach(11, 10_000)];
    let settled = 0;
    for (const other of others) void other.then(() => settled++);
    asks[0]?.answer(5);
    expect(await first).toBe(true);
    await asked(2);
    expect(settled).toBe(0);
    asks[1]?.answer(5);
    expect(await Promise.all(others)).toEqual([true, true]);
    expect(asks).toHaveLength(2);
  });
});
