import { unwrap } from "@incipit/client";
import { expect, it } from "vitest";
import { startStack } from "../test/support/stack.ts";

const quantile = (sorted: number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
const report = (name: string, samples: number[]) => {
  const sorted = samples.toSorted((a, b) => a - b);
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  console.log(`${name}: median ${p50.toFixed(1)} ms, 99th percentile ${p99.toFixed(1)} ms`);
  return { p50, p99 };
};

it("an activation reaches every renderer within milliseconds", async () => {
  const stack = await startStack({ renderers: 3 });
  try {
    const client = await stack.connect();
    unwrap(await client.add("greeting", { body: "one", activate: true }));
    unwrap(await client.add("greeting", { body: "two" }));
    const replied: number[] = [];
    const served: number[] = [];
    for (let round = 0; round < 200; round++) {
      const version = round % 2 === 0 ? 2 : 1;
      const sent = performance.now();
      const { seq } = unwrap(await client.activate("greeting", { version }));
      const done = performance.now();
      const seen = new Set<string | null>();
      while (seen.size < 3)
        for (const reply of (
          await Promise.all([1, 2, 3].map(() => client.render("greeting", { minSeq: seq })))
        ).map(unwrap))
          if (!reply.fallback) seen.add(reply.instance);
      served.push(performance.now() - done);
      replied.push(done - sent);
    }
    report("activate, request to reply", replied);
    const { p50 } = report("from the reply until all three renderers served it", served);
    expect(p50).toBeLessThan(50);
  } finally {
    await stack.stop();
  }
});

it("no responder is known within 100 ms", async () => {
  const stack = await startStack({ registries: 0, renderers: 0 });
  try {
    const client = await stack.connect("alice", { timeoutMs: 60_000 });
    const took: number[] = [];
    for (let n = 0; n < 100; n++) {
      const started = performance.now();
      const reply = await client.render("nobody", {});
      took.push(performance.now() - started);
      expect(reply).toMatchObject({ problem: { code: "no_responders" } });
    }
    expect(report("no_responders", took).p99).toBeLessThan(100);
  } finally {
    await stack.stop();
  }
});

it("templates that would take for ever are refused or stopped within 250 ms", async () => {
  const stack = await startStack();
  try {
    const client = await stack.connect();
    const loop = unwrap(
      await client.add("loop", {
        body: `${"{{#each @root.xs}}".repeat(7)}x${"{{/each}}".repeat(7)}`,
        activate: true,
      }),
    );
    const calls: [string, () => Promise<{ ok: boolean }>][] = [
      [
        "12 KB of nested parentheses",
        () => client.add("p", { body: `{{eq ${"(eq ".repeat(3_000)}1 1${")".repeat(3_000)} 1}}` }),
      ],
      [
        "64 KB of nested blocks",
        () => client.add("b", { body: `${"{{#if a}}".repeat(4_000)}x${"{{/if}}".repeat(4_000)}` }),
      ],
      [
        "a seven-deep loop over ten items",
        () => client.render("loop", { context: { xs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }, minSeq: loop.seq }),
      ],
    ];
    for (const [name, call] of calls) {
      const took: number[] = [];
      for (let n = 0; n < 20; n++) {
        const started = performance.now();
        expect(await call()).toMatchObject({ ok: false, problem: { code: "limit_exceeded" } });
        took.push(performance.now() - started);
      }
      expect(report(name, took).p50).toBeLessThan(250);
    }
  } finally {
    await stack.stop();
  }
});
