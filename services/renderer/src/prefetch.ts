import { setTimeout as delay } from "node:timers/promises";
import type { FollowState, Logger } from "@incipit/bus";
import { LogUnreachableError } from "./bodies.ts";
import type { Finder, Snapshot } from "./finder.ts";
import type { Wanted } from "./render/request.ts";
import type { Uses } from "./uses.ts";

/** Makes ready what a coming state of the pointers will serve. Resolves when the pointers may move. */
export type Prefetch = (keys: ReadonlySet<string>, coming: Snapshot) => Promise<void>;

/** What prefetching takes. */
export type PrefetchOptions = {
  uses: Uses;
  finder: Finder;
  state: () => FollowState;
  /** Aborts when the renderer stops. */
  signal: AbortSignal;
  logger: Logger;
  /** How long a log that is in reach may fail to give a body before the pointers move all the same, in ms. */
  patienceMs?: number;
};

const PATIENCE_MS = 5_000;
/** Requests that are made ready at a time: each may wait for the log. */
const LANES = 16;
const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 500;

/**
 * Builds the prefetch. A request that will be refused needs nothing, and a bug met here will be met, and told, by the
 * request itself: one template's fault must not stop all others. While the log is out of reach it keeps trying, and
 * what is in memory goes on being served, marked stale. A log that is in reach and does not give a body holds the
 * pointers back for a while only: the log is the truth, and serving what it has replaced must end.
 */
export function createPrefetch(options: PrefetchOptions): Prefetch {
  const { uses, finder, state, signal, logger, patienceMs = PATIENCE_MS } = options;

  async function makeReady(wanted: Wanted, coming: Snapshot): Promise<void> {
    const since = performance.now();
    for (let wait = RETRY_MIN_MS; !signal.aborted; wait = Math.min(wait * 2, RETRY_MAX_MS)) {
      try {
        await finder.find(wanted, coming);
        return;
      } catch (err) {
        const outage = err instanceof LogUnreachableError;
        if (!outage || (state() === "live" && performance.now() - since > patienceMs)) {
          logger.error(
            { err, key: wanted.key },
            "a template was not made ready; the pointer moves without it",
          );
          return;
        }
      }
      await delay(wait, undefined, { signal }).catch(() => {});
    }
  }

  return async (keys, coming) => {
    const waiting = uses.affectedBy(keys);
    const lane = async () => {
      for (let wanted = waiting.pop(); wanted !== undefined; wanted = waiting.pop()) {
        await makeReady(wanted, coming);
        // What is in memory already takes no wait at all: others must have their turn in between.
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: Math.min(LANES, waiting.length) }, lane));
  };
}
