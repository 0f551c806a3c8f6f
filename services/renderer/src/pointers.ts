import type { Change } from "./now-judge.ts";
import {
  NO_POINTERS,
  withActive,
  withSeed,
  type KeyPointers,
  type PointerView,
} from "./render/pointer-view.ts";

/** The pointers as they will be once some changes are applied. */
type Outlook = {
  view: PointerView;
  /** The keys that the changes concern. */
  keys: ReadonlySet<string>;
  /** Makes it so, at once. `seq`: the last position of `now` that is applied thereby. */
  commit: (seq: number) => void;
};

/** The present state of `now`, in memory. What a reader sees between two turns of the event loop is one state. */
export type Pointers = PointerView & {
  /** Position of the last message of `now` that is applied; 0 before the first. */
  seq: () => number;
  /** How many keys are known. */
  size: () => number;
  /** What changes would lead to. An older change never overwrites a newer one of the same pointer. */
  foresee: (changes: readonly Change[]) => Outlook;
};

/** Nothing known yet. */
export function createPointers(): Pointers {
  const byKey = new Map<string, KeyPointers>();
  let seq = 0;
  return {
    of: (key) => byKey.get(key),
    seq: () => seq,
    size: () => byKey.size,
    foresee(changes) {
      const changed = new Map<string, KeyPointers>();
      for (const { key, label, pointer } of changes) {
        const known = changed.get(key) ?? byKey.get(key) ?? NO_POINTERS;
        const before = label === null ? known.seed : known.active.get(label);
        if (before && before.seq >= pointer.seq) continue;
        changed.set(key, label === null ? withSeed(known, pointer) : withActive(known, label, pointer));
      }
      return {
        view: { of: (key) => changed.get(key) ?? byKey.get(key) },
        keys: new Set(changed.keys()),
        commit(appliedSeq) {
          for (const [key, known] of changed) byKey.set(key, known);
          seq = Math.max(seq, appliedSeq);
        },
      };
    },
  };
}
