import { LRUCache } from "lru-cache";
import type { Wanted } from "./render/request.ts";
import { wantedId } from "./render/resolve.ts";

/** What was asked for lately, so that it can be made ready ahead of a switch. */
export type Uses = {
  /** Notes a request that was answered, with every key whose pointers had a say. */
  note: (wanted: Wanted, keys: ReadonlySet<string>) => void;
  /** The requests that a change of these keys concerns. */
  affectedBy: (keys: ReadonlySet<string>) => Wanted[];
};

/** How many different requests are remembered. What is forgotten is loaded at its next use. */
const REMEMBERED = 10_000;

/** Nothing asked for yet. */
export function createUses(remembered: number = REMEMBERED): Uses {
  const uses = new LRUCache<string, { wanted: Wanted; keys: ReadonlySet<string> }>({ max: remembered });
  return {
    note(wanted, keys) {
      // Whoever pins says which versions: no switch changes the answer, and pins are too many to remember.
      if (wanted.pins.size > 0) return;
      uses.set(wantedId(wanted), { wanted, keys });
    },
    affectedBy: (keys) =>
      [...uses.values()].filter((use) => intersects(use.keys, keys)).map(({ wanted }) => wanted),
  };
}

function intersects(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  for (const key of few) if (many.has(key)) return true;
  return false;
}
