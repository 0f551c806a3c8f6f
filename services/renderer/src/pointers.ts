import { parseContract } from "@incipit/schema";
import type { Change, ContractChange } from "./chain-fold.ts";
import {
  NO_POINTERS,
  withActive,
  withSeed,
  type ContractView,
  type KeyPointers,
  type LiveContract,
  type PointerView,
} from "./render/pointer-view.ts";

/** The pointers as they will be once some changes are applied. */
type Outlook = {
  view: PointerView & ContractView;
  /** The keys that the changes concern; a contract counts as `contractKey` has it. */
  keys: ReadonlySet<string>;
  /** Makes it so, at once. `seq`: the last position of `now` that is applied thereby. */
  commit: (seq: number) => void;
};

/** The present state of `now`, in memory. What a reader sees between two turns of the event loop is one state. */
export type Pointers = PointerView &
  ContractView & {
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

/** Stands for a contract among keys, none of which holds a colon. */
export const contractKey = (name: string): string => `contract:${name}`;

function readContract({ contract: name, version, document, seq }: ContractChange): LiveContract {
  return { name, version, seq, contract: parseContract(name, document) };
}

/** Nothing known yet. `onUnreadable` is called as such a contract takes its place. */
export function createPointers(onUnreadable: (contract: LiveContract) => void = () => {}): Pointers {
  const byKey = new Map<string, KeyPointers>();
  const contracts = new Map<string, LiveContract>();
  let seq = 0;
  return {
    of: (key) => byKey.get(key),
    contract: (name) => contracts.get(name),
    seq: () => seq,
    size: () => byKey.size,
    foresee(changes, { afresh = false } = {}) {
      const base = afresh ? new Map<string, KeyPointers>() : byKey;
      const changed = new Map<string, KeyPointers>();
      const knownContracts = afresh ? new Map<string, LiveContract>() : contracts;
      const published = new Map<string, LiveContract>();
      for (const change of changes) {
        if ("contract" in change) {
          const { contract: name } = change;
          const before = published.get(name) ?? knownContracts.get(name);
          if (before === undefined || before.seq < change.seq) published.set(name, readContract(change));
          continue;
        }
        const { key, label, pointer } = change;
        const known = changed.get(key) ?? base.get(key) ?? NO_POINTERS;
        const before = label === null ? known.seed : known.active.get(label);
        if (before && before.seq >= pointer.seq) continue;
        changed.set(key, label === null ? withSeed(known, pointer) : withActive(known, label, pointer));
      }
      return {
        view: {
          of: (key) => changed.get(key) ?? base.get(key),
          contract: (name) => published.get(name) ?? knownContracts.get(name),
        },
        keys: new Set([
          ...(afresh ? [...byKey.keys(), ...[...contracts.keys()].map(contractKey)] : []),
          ...changed.keys(),
          ...[...published.keys()].map(contractKey),
        ]),
        commit(appliedSeq) {
          if (afresh) {
            byKey.clear();
            contracts.clear();
          }
          for (const [name, live] of published) {
            contracts.set(name, live);
            if (!live.contract.ok) onUnreadable(live);
          }
          for (const [key, known] of changed) byKey.set(key, known);
          seq = Math.max(seq, appliedSeq);
        },
      };
    },
  };
}
