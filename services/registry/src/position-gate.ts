/** Lets many wait, without polling, until the projection has reached a position of the log. */
export type PositionGate = {
  /** True once the position is reached, false if that takes longer than the time given. */
  wait: (seq: number, timeoutMs: number) => Promise<boolean>;
  /** To be called whenever the position has changed. */
  advanced: () => void;
};

/** A gate on a position; `position` tells it as of now. */
export function createPositionGate(position: () => number): PositionGate {
  const waiting = new Set<{ seq: number; open: () => void }>();
  return {
    async wait(seq, timeoutMs) {
      if (position() >= seq) return true;
      if (timeoutMs <= 0) return false;
      return new Promise((resolve) => {
        const waiter = {
          seq,
          open: () => {
            clearTimeout(timer);
            resolve(true);
          },
        };
        const timer = setTimeout(() => {
          waiting.delete(waiter);
          resolve(false);
        }, timeoutMs);
        waiting.add(waiter);
      });
    },
    advanced() {
      const reached = position();
      for (const waiter of waiting) {
        if (waiter.seq > reached) continue;
        waiting.delete(waiter);
        waiter.open();
      }
    },
  };
}
