import type { LogRecord } from "@incipit/events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activated, added, admit, createLogWriter, deactivated, recordOf } from "../testing/log-writer.ts";
import { createNowJudge, type Change } from "./now-judge.ts";
import { createPointers, type Pointers } from "./pointers.ts";

/** Hands records to a judge and applies what it lets through, in batches of the given sizes. */
function apply(records: readonly LogRecord[], batchSize = 1): { pointers: Pointers; rejected: string[] } {
  const judge = createNowJudge(admit);
  const pointers = createPointers();
  const rejected: string[] = [];
  for (let at = 0; at < records.length; at += batchSize) {
    const batch = records.slice(at, at + batchSize);
    const changes: Change[] = [];
    for (const record of batch) {
      const reading = judge(record);
      if (reading.status === "change") changes.push(reading.change);
      if (reading.status === "rejected") rejected.push(reading.reason);
    }
    pointers.foresee(changes).commit(batch.at(-1)?.seq ?? 0);
  }
  return { pointers, rejected };
}

const KEYS = ["a", "a/b", "c"];
const LABELS = ["production", "staging"];
type Step = { key: string; label: string | null; version: number };
const step: fc.Arbitrary<Step> = fc.record({
  key: fc.constantFrom(...KEYS),
  label: fc.constantFrom(...LABELS, null),
  version: fc.integer({ min: 0, max: 3 }),
});

/** The events of some steps; 0 takes a label away. */
function write(steps: readonly Step[]): LogRecord[] {
  const writer = createLogWriter();
  return steps.map(({ key, label, version }, at) => {
    const event =
      label === null
        ? added(key, 0, `seed ${version}`)
        : version === 0
          ? deactivated(key, 1, label)
          : activated(key, version, label);
    return recordOf(writer.message(event), at + 1);
  });
}

/** What the pointers must be: the last step of each key and label. */
function model(steps: readonly Step[]): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  steps.forEach(({ key, label, version }, at) => {
    state[`${key} ${label ?? "seed"}`] = {
      version: label === null ? 0 : version === 0 ? null : version,
      seq: at + 1,
    };
  });
  return state;
}

function stateOf(pointers: Pointers): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const key of KEYS) {
    const known = pointers.of(key);
    for (const label of [...LABELS, null]) {
      const pointer = label === null ? known?.seed : known?.active.get(label);
      if (pointer) state[`${key} ${label ?? "seed"}`] = { version: pointer.version, seq: pointer.seq };
    }
  }
  return state;
}

describe("the pointers", () => {
  it("are the last event of each, however the events are batched and handed over again", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.nat(40)),
        (steps, batchSize, resets) => {
          const records = write(steps);
          // After a reset, a follower hands over again what lies behind any earlier position.
          const delivered = [...records];
          for (const reset of resets)
            delivered.splice(reset, 0, ...records.slice(0, Math.min(reset, records.length)));
          const { pointers, rejected } = apply(delivered, batchSize);
          expect(stateOf(pointers)).toEqual(model(steps));
          expect(rejected).toEqual([]);
          expect(pointers.seq()).toBe(records.length);
        },
      ),
    );
  });

  it("are the same where only the last event of each subject was handed over", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const records = write(steps);
        const last = records.filter(
          (record, at) => !records.slice(at + 1).some(({ subject }) => subject === record.subject),
        );
        expect(stateOf(apply(last, 5).pointers)).toEqual(model(steps));
      }),
    );
  });

  it("can be foreseen without being moved", () => {
    const { pointers } = apply(write([{ key: "a", label: "production", version: 1 }]));
    const outlook = pointers.foresee([
      { key: "a", label: "production", pointer: { version: 2, seq: 5, trace: null } },
      { key: "c", label: null, pointer: { version: 0, seq: 6, trace: null } },
    ]);
    expect(outlook.view.of("a")?.active.get("production")?.version).toBe(2);
    expect(outlook.keys).toEqual(new Set(["a", "c"]));
    expect(pointers.of("a")?.active.get("production")?.version).toBe(1);
    outlook.commit(6);
    expect(pointers.of("a")?.active.get("production")?.version).toBe(2);
    expect(pointers.seq()).toBe(6);
  });
});

describe("a message of the log", () => {
  const writer = createLogWriter();
  const first = writer.message(activated("a", 1));
  const second = writer.message(activated("a", 2));

  it("that repeats an old event at a new position is skipped, and its position counts", () => {
    const { pointers, rejected } = apply([recordOf(first, 1), recordOf(second, 2), recordOf(first, 3)]);
    expect(rejected).toEqual(["index 1 is not above 2: an old event again"]);
    expect(pointers.of("a")?.active.get("production")).toMatchObject({ version: 2, seq: 2 });
    expect(pointers.seq()).toBe(3);
  });

  it("that claims a place in the chain beyond its position is skipped, and shuts nobody out", () => {
    const liar = writer.message(activated("a", 9), { index: 1_000_000 });
    const third = writer.message(activated("a", 3));
    const { pointers, rejected } = apply([recordOf(first, 1), recordOf(liar, 2), recordOf(third, 4)]);
    expect(rejected).toHaveLength(1);
    expect(pointers.of("a")?.active.get("production")?.version).toBe(3);
  });

  it("of a later release is not applied and takes its place in the order", () => {
    const newer = writer.message(activated("a", 7), { v: 99, index: 20 });
    const old = writer.message(activated("a", 4), { index: 19 });
    const { pointers, rejected } = apply([recordOf(newer, 21), recordOf(old, 22)]);
    expect(pointers.of("a")).toBeUndefined();
    expect(rejected).toEqual(["index 19 is not above 20: an old event again"]);
  });
});
