import { setTimeout as delay } from "node:timers/promises";
import type { FollowState, Logger } from "@incipit/bus";
import { LogUnreachableError } from "./within.ts";
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
  /** How long all of it together may hold the pointers back while the log is in reach, in ms. */
  patienceMs?: number;
};

const PATIENCE_MS = 5_000;
/** Requests that are made ready at a time: each may wait for the log. */
const LANES = 16;
const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 500;
/** Keys named in the log where there may be many. */
const SHOWN_KEYS = 10;

/**
 * Builds the prefetch. A request that will be refused needs nothing, and a bug met here will be met, and told, by the
 * request itself: one template's fault must not stop all others. While the log is out of reach it keeps trying, and
 * what is in memory goes on being served, marked stale. While it is in reach, whatever is not ready when the time of the
 * whole batch is over is left to its next use: the log is the truth, and serving what it has replaced must end.
 */
export function createPrefetch(options: PrefetchOptions): Prefetch {
  const { uses, finder, state, signal, logger, patienceMs = PATIENCE_MS } = options;

  return async (keys, coming) => {
    const waiting = uses.affectedBy(keys).toReversed();
    if (waiting.length === 0) return;
    const due = performance.now() + patienceMs;
    const isOver = () => signal.aborted || (state() === "live" && performance.now() >= due);
    let left = 0;

    async function makeReady(wanted: Wanted): Promise<void> {
      for (let wait = RETRY_MIN_MS; !isOver(); wait = Math.min(wait * 2, RETRY_MAX_MS)) {
        try {
          await finder.find(wanted, coming);
          return;
        } catch (err) {
          if (!(err instanceof LogUnreachableError)) {
            logger.error({ err, key: wanted.key }, "a template could not be made ready");
            return;
          }
        }
        await delay(wait, undefined, { signal }).catch(() => {});
      }
      left++;
    }
    const lane = async () => {
      for (let wanted = waiting.pop(); wanted !== undefined; wanted = waiting.pop()) {
        await makeReady(wanted);
        // What is in memory already takes no wait at all: others must have their turn in between.
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: Math.min(LANES, waiting.length) }, lane));
    if (left > 0 && !signal.aborted)
      logger.error({ left, keys: [...keys].slice(0, SHOWN_KEYS) }, "pointers move before all is ready");
  };
}
