import type { Change } from "./chain-fold.ts";
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
  /**
   * What changes would lead to. An older change never overwrites a newer one of the same pointer. `afresh`: they take the
   * place of everything known.
   */
  foresee: (changes: readonly Change[], options?: { afresh?: boolean }) => Outlook;
};

/** Nothing known yet. */
export function createPointers(): Pointers {
  const byKey = new Map<string, KeyPointers>();
  let seq = 0;
  return {
    of: (key) => byKey.get(key),
    seq: () => seq,
    size: () => byKey.size,
    foresee(changes, { afresh = false } = {}) {
      const base = afresh ? new Map<string, KeyPointers>() : byKey;
      const changed = new Map<string, KeyPointers>();
      for (const { key, label, pointer } of changes) {
        const known = changed.get(key) ?? base.get(key) ?? NO_POINTERS;
        const before = label === null ? known.seed : known.active.get(label);
        if (before && before.seq >= pointer.seq) continue;
        changed.set(key, label === null ? withSeed(known, pointer) : withActive(known, label, pointer));
      }
      return {
        view: { of: (key) => changed.get(key) ?? base.get(key) },
        keys: new Set(afresh ? [...byKey.keys(), ...changed.keys()] : changed.keys()),
        commit(appliedSeq) {
          if (afresh) byKey.clear();
          for (const [key, known] of changed) byKey.set(key, known);
          seq = Math.max(seq, appliedSeq);
        },
      };
    },
  };
}
