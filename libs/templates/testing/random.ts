/** A stream of choices, the same for the same seed. */
export type Random = {
  /** A whole number from 0 to below `below`. */
  int: (below: number) => number;
  /** True with a probability. */
  chance: (probability: number) => boolean;
  /** One of several. */
  pick: <T>(from: readonly T[]) => T;
};

/** Begins a stream (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    int: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    pick(from) {
      const one = from[Math.floor(next() * from.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
  };
}
