import { ok, refuse, type ErrorCode, type Result } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { withRetries, type RetryOptions } from "./retry.ts";

/** A world whose time passes only by sleeping and by attempts, and an attempt that takes what it is told to. */
function scripted(outcomes: readonly { took: number; result: Result<string> }[]) {
  let time = 0;
  const attempts: { at: number; timeoutMs: number }[] = [];
  const sleeps: number[] = [];
  return {
    attempts,
    sleeps,
    run: (options: Partial<RetryOptions> = {}) =>
      withRetries(
        async (timeoutMs) => {
          attempts.push({ at: time, timeoutMs });
          const { took, result } = outcomes[Math.min(attempts.length, outcomes.length) - 1] ?? {
            took: 0,
            result: refuse("internal", "no outcome"),
          };
          time += Math.min(took, timeoutMs);
          return result;
        },
        { timeoutMs: 5_000, retryNoResponders: false, ...options },
        {
          now: () => time,
          sleep: async (ms) => {
            sleeps.push(ms);
            time += ms;
          },
          random: () => 0.5,
        },
      ),
    time: () => time,
  };
}
const failed = (code: ErrorCode, took = 1) => ({ took, result: refuse(code, code) });
const answered = { took: 1, result: ok("answer") };

describe("withRetries", () => {
  it("sends once what is answered", async () => {
    const call = scripted([answered]);
    expect(await call.run()).toEqual(ok("answer"));
    expect(call.attempts).toHaveLength(1);
  });

  it("leaves time for a second attempt where the first reply is lost", async () => {
    const call = scripted([failed("timeout", Infinity), answered]);
    expect(await call.run()).toEqual(ok("answer"));
    expect(call.attempts.map(({ timeoutMs }) => timeoutMs)[0]).toBe(2_500);
    expect(call.time()).toBeLessThan(5_000);
  });

  it("gives no attempt longer than its service takes to answer", async () => {
    const call = scripted([failed("timeout", Infinity), answered]);
    expect(await call.run({ timeoutMs: 60_000, attemptMs: 6_000 })).toEqual(ok("answer"));
    expect(call.attempts[0]?.timeoutMs).toBe(6_000);
    expect(call.time()).toBeLessThan(7_000);
  });

  it.each(["check_failed", "conflict", "bad_key", "internal", "not_caught_up"] as const)(
    "takes %s for an answer",
    async (code) => {
      const call = scripted([failed(code), answered]);
      expect(await call.run()).toMatchObject({ problem: { code } });
      expect(call.attempts).toHaveLength(1);
    },
  );

  it("fails at once where nobody is there to answer", async () => {
    const call = scripted([failed("no_responders")]);
    expect(await call.run()).toMatchObject({ problem: { code: "no_responders" } });
    expect(call.attempts).toHaveLength(1);
    expect(call.sleeps).toEqual([]);
  });

  it("waits for somebody to answer where it is told to", async () => {
    const call = scripted([failed("no_responders"), failed("no_responders"), answered]);
    expect(await call.run({ retryNoResponders: true })).toEqual(ok("answer"));
  });

  it("waits longer from attempt to attempt, and never past the deadline", async () => {
    const call = scripted([failed("unavailable", 0)]);
    expect(await call.run({ timeoutMs: 3_000 })).toMatchObject({ problem: { code: "unavailable" } });
    expect(call.sleeps.slice(0, 5)).toEqual([20, 40, 80, 160, 320]);
    expect(call.time()).toBeLessThan(3_000);
    for (const { at, timeoutMs } of call.attempts) expect(at + timeoutMs).toBeLessThanOrEqual(3_000);
  });

  it("sends once where it is told to", async () => {
    const call = scripted([failed("unavailable"), answered]);
    expect(await call.run({ once: true })).toMatchObject({ problem: { code: "unavailable" } });
    expect(call.attempts).toEqual([{ at: 0, timeoutMs: 5_000 }]);
  });
});
