import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryLog } from "@incipit/bus";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dump, startOn } from "../testing/registry.ts";

const key = fc.constantFrom("a", "b", "B", "x/y", "_partials/p", "_partials/q");
const label = fc.constantFrom("production", "staging");
const body = fc.oneof(
  fc.constantFrom("one", "two", "{{name}}", "{{", " ", "{{> _partials/p}}", "{{> _partials/q}}", "{{> a}}"),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const version = fc.integer({ min: 0, max: 4 });
const expectation = fc.option(fc.option(version, { nil: null }), { nil: undefined, freq: 8 });
const commandId = fc.option(fc.constantFrom("c1", "c2", "c3"), { nil: undefined });
const command = fc.oneof(
  fc.record({
    verb: fc.constant("add"),
    key,
    payload: fc.record({
      body,
      kind: fc.constantFrom(undefined, undefined, "prompt", "partial"),
      syntax: fc.constantFrom(undefined, undefined, "plain", "slots"),
      tags: fc.option(fc.array(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 2 }), {
        nil: undefined,
      }),
      config: fc.constantFrom(undefined, undefined, null, { b: 1, a: "x" }),
      activate: fc.constantFrom(undefined, true, "staging"),
      dryRun: fc.constantFrom(undefined, undefined, true),
      expectNewest: expectation,
      commandId,
    }),
  }),
  fc.record({
    verb: fc.constant("activate"),
    key,
    payload: fc.record({ version, label, expectActive: expectation, commandId }),
  }),
  fc.record({ verb: fc.constant("deactivate"), key, payload: fc.record({ label, commandId }) }),
);

test("whatever commands come through two instances, and whatever acknowledgements are lost, the projections are equal, and replaying the log gives the same answers", async () => {
  const step = fc.record({
    command,
    through: fc.constantFrom(0, 1),
    loss: fc.constantFrom(false, false, false, true),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const folder = mkdtempSync(join(tmpdir(), "incipit-property-"));
      try {
        const { log, controls } = createMemoryLog();
        const db = (name: string) => ({ db: join(folder, name), name: "same" });
        const [one, two] = await Promise.all([startOn(log, db("one")), startOn(log, db("two"))]);
        // Some at a time, so that the two meet.
        for (let at = 0; at < steps.length; at += 4)
          await Promise.all(
            steps.slice(at, at + 4).map(({ command: { verb, key: name, payload }, through, loss }) => {
              if (loss) controls.loseNextAck();
              return (through === 0 ? one : two).tryCommand(verb, name, payload);
            }),
          );
        const { lastSeq } = await log.info();
        for (const registry of [one, two]) await registry.query("status", undefined, { minSeq: lastSeq });
        const answers = await dump(one);
        expect(await dump(two)).toBe(answers);
        await Promise.all([one.stop(), two.stop()]);

        rmSync(join(folder, "one"));
        for (const name of ["one", "two"]) {
          const again = await startOn(log, db(name));
          expect(await dump(again)).toBe(answers);
          await again.stop();
        }
        const { rejected } = JSON.parse(answers).at(-1) as { rejected: { count: number } };
        expect(rejected.count).toBe(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
