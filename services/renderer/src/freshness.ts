/** Waits until what is applied here reflects a log position. */
export type Freshness = {
  /** Whether everything up to `minSeq` is reflected, at the latest after `timeoutMs`. */
  reach: (minSeq: number, timeoutMs: number) => Promise<boolean>;
  /** To be called when more was applied, or the log came back. */
  progressed: () => void;
  /** Ends every wait as if its time were over, those to come too: whoever stops cannot wait for them. */
  giveUp: () => void;
};

/** What waiting takes. */
export type FreshnessOptions = {
  /** Position of the last message of `now` applied here. */
  applied: () => number;
  /**
   * Asks the stream's leader for the position of the newest message of `now`, and of any; 0 where there is none. May
   * throw.
   */
  newest: () => Promise<{ now: number; any: number }>;
};

/**
 * Builds the waiting. Only `now` is followed here, so a `minSeq` above what is applied may well belong to a message of
 * another kind: the leader says which message of `now` is the newest, and that is all there is to wait for. A position
 * that the log has not come to is reflected by nothing.
 */
export function createFreshness({ applied, newest }: FreshnessOptions): Freshness {
  const waiters = new Set<() => void>();
  const expirers = new Set<() => void>();
  const ask = coalesce(newest);
  let over = false;

  async function reach(minSeq: number, timeoutMs: number): Promise<boolean> {
    if (applied() >= minSeq) return true;
    if (over) return false;
    let forget = () => {};
    const expired = new Promise<"expired">((resolve) => {
      const expire = () => resolve("expired");
      const timer = setTimeout(expire, timeoutMs);
      expirers.add(expire);
      forget = () => {
        clearTimeout(timer);
        expirers.delete(expire);
      };
    });
    let stopWaiting = () => {};
    const progress = () =>
      new Promise<"progress">((resolve) => {
        const waiter = () => resolve("progress");
        waiters.add(waiter);
        stopWaiting = () => waiters.delete(waiter);
      });
    try {
      let target: number | null = null;
      for (;;) {
        if (applied() >= (target ?? minSeq)) return true;
        // Registered before asking: what is applied while the leader answers must not be missed.
        const moved = progress();
        if (target === null) {
          const answer = await Promise.race([ask().catch(() => null), expired]);
          if (answer === "expired") return applied() >= minSeq;
          if (answer !== null && answer.any >= minSeq) target = Math.min(minSeq, answer.now);
          if (target !== null && applied() >= target) return true;
        }
        if ((await Promise.race([moved, expired])) === "expired") return applied() >= (target ?? minSeq);
        stopWaiting();
      }
    } finally {
      forget();
      stopWaiting();
    }
  }

  return {
    reach,
    progressed() {
      const woken = [...waiters];
      waiters.clear();
      for (const wake of woken) wake();
    },
    giveUp() {
      over = true;
      for (const expire of expirers) expire();
    },
  };
}

/**
 * Calls that come while one is under way share the next one. They cannot share the one under way: it may have been
 * answered before the caller's own reason to ask came about.
 */
function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    const mine = run().finally(() => {
      if (running === mine) running = null;
    });
    running = mine;
    return mine;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(start, start);
    return next;
  };
}
