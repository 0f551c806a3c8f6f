import { LRUCache } from "lru-cache";
import type { Wanted } from "./render/request.ts";
import { wantedId } from "./render/resolve.ts";

/** What was asked for lately, so that it can be made ready ahead of a switch. */
export type Uses = {
  /** Notes a request that was answered, with every key whose pointers had a say. */
  note: (wanted: Wanted, keys: ReadonlySet<string>) => void;
  /** The requests that a change of these keys concerns, the latest first. */
  affectedBy: (keys: ReadonlySet<string>) => Wanted[];
  /** How many are remembered, and about how many bytes that takes. */
  stats: () => { entries: number; bytes: number };
};

/** Memory for it, in bytes: some ten thousand requests of usual size. What is forgotten is loaded at its next use. */
const MAX_BYTES = 8 << 20;
/** What an entry costs beside its texts, and what a place in a set or a list does. */
const ENTRY_BYTES = 500;
const PLACE_BYTES = 50;

/** Nothing asked for yet. Bounded by size, not by number: a caller chooses how long a request is. */
export function createUses(maxBytes: number = MAX_BYTES): Uses {
  const uses = new LRUCache<string, { wanted: Wanted; keys: ReadonlySet<string> }>({ maxSize: maxBytes });
  return {
    note(wanted, keys) {
      // Whoever pins says which versions: no switch changes the answer, and pins are too many to remember.
      if (wanted.pins.size > 0) return;
      const id = wantedId(wanted);
      // The texts of the request stand in it once more, as its name.
      let size = ENTRY_BYTES + 2 * id.length + PLACE_BYTES * (wanted.fallbackKeys.length + keys.size);
      for (const key of keys) size += key.length;
      uses.set(id, { wanted, keys }, { size });
    },
    affectedBy: (keys) =>
      [...uses.values()].filter((use) => intersects(use.keys, keys)).map(({ wanted }) => wanted),
    stats: () => ({ entries: uses.size, bytes: uses.calculatedSize }),
  };
}

function intersects(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  for (const key of few) if (many.has(key)) return true;
  return false;
}
