import type { EventLog, FollowState, Logger } from "@incipit/bus";
import type { AdmitOptions } from "@incipit/events";
import { setMaxListeners } from "node:events";
import { createBodies } from "./bodies.ts";
import { createFinder, type Finder } from "./finder.ts";
import { followNow } from "./follow.ts";
import { createFreshness, type Freshness } from "./freshness.ts";
import { createNowJudge } from "./now-judge.ts";
import { createPointers, type Pointers } from "./pointers.ts";
import { createPrefetch } from "./prefetch.ts";
import { createTemplateCache, type CacheStats } from "./template-cache.ts";
import { createUses, type Uses } from "./uses.ts";

/** What a renderer keeps in memory of one log. */
export type GenerationOptions = {
  log: EventLog;
  admit: AdmitOptions;
  cacheBytes: number;
  onRejected: () => void;
  logger: Logger;
};

/**
 * Everything derived from one log: pointers, templates and their followers. Where the log turns out to be another one,
 * positions and versions mean something else, so a new generation is built and takes the place of the whole old one.
 */
export type Generation = {
  pointers: Pointers;
  finder: Finder;
  freshness: Freshness;
  uses: Uses;
  /** `stale` too once following has failed. */
  state: () => FollowState;
  cache: () => CacheStats;
  /** Settles when what was pending at the start is applied; rejects if following failed before that. */
  ready: Promise<void>;
  failed: Promise<never>;
  /** Ends every wait of a request as if its time were over. */
  giveUp: () => void;
  stop: () => Promise<void>;
};

/** Begins to follow the log. */
export function startGeneration(options: GenerationOptions): Generation {
  const { log, admit, cacheBytes, onRejected, logger } = options;
  const stopping = new AbortController();
  // Everything that is fetched listens to it.
  setMaxListeners(0, stopping.signal);
  const pointers = createPointers(({ name, version, seq, contract }) => {
    const reason = contract.ok ? null : contract.problem.message;
    logger.error({ contract: name, version, seq, reason }, "a contract on the log cannot be read");
  });
  const cache = createTemplateCache(cacheBytes);
  const uses = createUses();
  const { signal } = stopping;
  const { judge, isEvent } = createNowJudge({ log, admit, onRejected, onDoubt: cache.clear, signal, logger });
  const bodies = createBodies({ log, admit, isEvent, cache, signal, logger });
  const finder = createFinder({ bodies, cache, sha256: admit.primitives.sha256, signal });
  const freshness = createFreshness({
    applied: pointers.seq,
    newest: async () => {
      // The end is asked for first, so that the newest of `now` is never older than it.
      const { lastSeq } = await log.info();
      const now = await log.last(admit.subjects.logNow, { leader: true });
      return { now: now?.seq ?? 0, any: lastSeq };
    },
  });
  let failed = false;
  const state = (): FollowState => (failed ? "stale" : follower.state());
  const prefetch = createPrefetch({ uses, finder, state, signal, logger });
  const follower = followNow({
    log,
    subjects: admit.subjects,
    judge,
    pointers,
    prefetch,
    onProgress: freshness.progressed,
  });
  const giveUp = () => {
    stopping.abort();
    freshness.giveUp();
  };
  const ready = Promise.race([follower.ready, follower.failed]);
  ready.catch(() => {});
  follower.failed.catch(() => {
    failed = true;
    freshness.progressed();
  });
  return {
    pointers,
    finder,
    freshness,
    uses,
    state,
    cache: cache.stats,
    ready,
    failed: follower.failed,
    giveUp,
    async stop() {
      giveUp();
      await follower.stop();
    },
  };
}
