import { unwrap, type Client } from "@incipit/client";
import { LIMITS } from "@incipit/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await stack.connect("alice", { timeoutMs: 5_000 });
});
afterAll(() => stack.stop());

const KIB = 1024;
const refusal = async (call: Promise<{ ok: boolean }>) => {
  const reply = await call;
  if (reply.ok) throw new Error("expected a refusal");
  return (reply as unknown as { problem: { code: string; message: string } }).problem;
};

describe("sizes", () => {
  // mlflow #16287, #10051: texts that were cut or refused without a name.
  it.each([
    ["5 KB of letters", "x".repeat(5_000)],
    ["100 KB of lines", "line of text\n".repeat(8_000)],
    ["256 KiB of letters", "y".repeat(256 * KIB)],
    ["256 KiB of line ends, which double in JSON", "a\n".repeat(128 * KIB)],
    ["256 KiB of emoji", "🌍".repeat(64 * KIB)],
  ])("a body of %s is stored, got and rendered whole", async (name, body) => {
    const key = `size/${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
    const { seq } = unwrap(await client.add(key, { body, syntax: "plain", activate: true }));
    expect(unwrap(await client.get(key, { minSeq: seq })).body === body).toBe(true);
    expect(unwrap(await client.render(key, { minSeq: seq })).text === body).toBe(true);
  });

  it("a body that JSON writes longer than a message may be is refused by name before it is sent on", async () => {
    const problem = await refusal(
      client.add("size/escaped", { body: "\u0001".repeat(256 * KIB), syntax: "plain" }),
    );
    expect(problem).toMatchObject({ code: "too_large" });
    expect(problem.message).toMatch(/bytes in the log/);
  });

  it("a body of 257 KiB is too large", async () => {
    const problem = await refusal(client.add("size/over", { body: "x".repeat(257 * KIB) }));
    expect(problem.code).toBe("too_large");
  });

  it("a context over 512 KiB is too large, one just under is not", async () => {
    const { seq } = unwrap(await client.add("size/context", { body: "{{a}}", activate: true }));
    const frame = JSON.stringify({ a: "x", b: "" }).length;
    const fits = { a: "x", b: "z".repeat(LIMITS.contextBytes - frame) };
    expect(unwrap(await client.render("size/context", { context: fits, minSeq: seq })).text).toBe("x");
    const over = { a: "x", b: "z".repeat(LIMITS.contextBytes - frame + 1) };
    expect((await refusal(client.render("size/context", { context: over }))).code).toBe("too_large");
  });

  it("a rendered text over 768 KiB is stopped by its limit, one just under arrives", async () => {
    const body = "{{#each xs}}{{@root.word}}{{/each}}";
    const { seq } = unwrap(await client.add("size/output", { body, activate: true }));
    const word = "w".repeat(1_000);
    const context = (n: number) => ({ word, xs: Array.from({ length: n }, () => 0) });
    const fits = Math.floor(LIMITS.outputBytes / word.length);
    expect(
      unwrap(await client.render("size/output", { context: context(fits), minSeq: seq })).text.length,
    ).toBe(fits * 1_000);
    const problem = await refusal(client.render("size/output", { context: context(fits + 1) }));
    expect(problem).toMatchObject({ code: "limit_exceeded" });
    expect(problem.message).toContain(String(LIMITS.outputBytes));
  });
});

describe("templates that would take for ever", () => {
  it.each([
    ["12 KB of nested parentheses", `{{eq ${"(eq ".repeat(3_000)}1 1${")".repeat(3_000)} 1}}`],
    ["64 KB of nested blocks", `${"{{#if a}}".repeat(4_000)}x${"{{/if}}".repeat(4_000)}`],
  ])("%s are refused with the limit's name, and others are served meanwhile", async (_, body) => {
    const [problem, status] = await Promise.all([
      refusal(client.add("slow", { body })),
      client.status({ timeoutMs: 2_000 }),
    ]);
    expect(problem.code).toBe("limit_exceeded");
    expect(problem.message).toMatch(/nest/i);
    expect(status.ok).toBe(true);
  });

  it("a seven-deep loop over ten items is stopped with the limit's name, and others are served meanwhile", async () => {
    const body = `${"{{#each @root.xs}}".repeat(7)}x${"{{/each}}".repeat(7)}`;
    unwrap(await client.add("loop", { body, activate: true }));
    const { seq } = unwrap(await client.add("quick", { body: "quick", activate: true }));
    const context = { xs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] };
    const [problem, quick] = await Promise.all([
      refusal(client.render("loop", { context, minSeq: seq })),
      client.render("quick", { minSeq: seq, timeoutMs: 2_000 }),
    ]);
    expect(problem.code).toBe("limit_exceeded");
    expect(problem.message).toContain(String(LIMITS.steps));
    expect(unwrap(quick).text).toBe("quick");
  });
});

describe("nobody there", () => {
  // open-feature/java-sdk-contrib #1314: a request to nobody hung.
  it("is no_responders at once, not after the timeout", async () => {
    const lonely = await startStack({ registries: 0, renderers: 0 });
    try {
      const caller = await lonely.connect("alice", { timeoutMs: 60_000 });
      const started = performance.now();
      for (const reply of [
        await caller.render("a", {}),
        await caller.add("a", { body: "x" }),
        await caller.list({}),
      ])
        expect(reply).toMatchObject({ ok: false, problem: { code: "no_responders", status: 503 } });
      // Far below the timeout; the measured figure is in bench/.
      expect(performance.now() - started).toBeLessThan(5_000);
      const fallback = unwrap(await caller.render("a", { fallback: "as ever" }));
      expect(fallback).toMatchObject({ text: "as ever", fallback: true, problem: { code: "no_responders" } });
    } finally {
      await lonely.stop();
    }
  });
});
