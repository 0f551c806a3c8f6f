import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PointerChange } from "./chain-fold.ts";
import { createPointers, type Pointers } from "./pointers.ts";

/** Applies changes in batches of a given size. */
function apply(changes: readonly PointerChange[], batchSize = 1): Pointers {
  const pointers = createPointers();
  for (let at = 0; at < changes.length; at += batchSize) {
    const batch = changes.slice(at, at + batchSize);
    pointers.foresee(batch).commit(batch.at(-1)?.pointer.seq ?? 0);
  }
  return pointers;
}

const KEYS = ["a", "a/b", "c"];
const LABELS = ["production", "staging"];
type Step = { key: string; label: string | null; version: number };
const step: fc.Arbitrary<Step> = fc.record({
  key: fc.constantFrom(...KEYS),
  label: fc.constantFrom(...LABELS, null),
  version: fc.integer({ min: 0, max: 3 }),
});

/** The changes of some steps; version 0 takes a label away. */
const changesOf = (steps: readonly Step[]): PointerChange[] =>
  steps.map(({ key, label, version }, at) => ({
    key,
    label,
    pointer: { version: label === null ? 0 : version || null, seq: at + 1, trace: null },
  }));

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
          const changes = changesOf(steps);
          // After a reset, a follower hands over again what lies behind any earlier position.
          const delivered = [...changes];
          for (const reset of resets) delivered.splice(reset, 0, ...changes.slice(0, reset));
          const pointers = apply(delivered, batchSize);
          expect(stateOf(pointers)).toEqual(model(steps));
          expect(pointers.seq()).toBe(changes.length);
        },
      ),
    );
  });

  it("hold nothing of what was, where they are built afresh", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 20 }), (before, after) => {
        const pointers = apply(changesOf(before));
        const outlook = pointers.foresee(changesOf(after), { afresh: true });
        expect(stateOf(pointers)).toEqual(model(before));
        expect([...outlook.keys].toSorted()).toEqual(
          [...new Set([...before, ...after].map(({ key }) => key))].toSorted(),
        );
        outlook.commit(after.length);
        expect(stateOf(pointers)).toEqual(model(after));
      }),
    );
  });

  it("can be foreseen without being moved", () => {
    const pointers = apply(changesOf([{ key: "a", label: "production", version: 1 }]));
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
