import { setTimeout as delay } from "node:timers/promises";
import { LogResetError, type EventLog, type Logger } from "@incipit/bus";
import type { LogRecord, Primitives } from "@incipit/events";
import type { Applied } from "./projection/apply-batch.ts";
import type { Origin } from "./projection/checkpoint.ts";
import { isDamage } from "./projection/database.ts";
import { whyNotOnLog } from "./projection/on-log.ts";
import type { Projection } from "./projection/projection.ts";
import type { Store } from "./projection/store.ts";

/** The projection following the log, for ever. */
export type Following = {
  /** Settles once the projection has first caught up. */
  ready: Promise<void>;
  /** True once what is known is all there is, false if that takes longer than the time given. */
  whenLive: (timeoutMs: number) => Promise<boolean>;
  isLive: () => boolean;
  /** Messages known to be on the log and not yet applied. */
  pending: () => number;
  /** To be called with what shows that the file is damaged, wherever it shows: it is rebuilt, once. */
  damaged: (error: Error) => void;
  stop: () => Promise<void>;
};

/** What following takes. */
export type FollowDeps = {
  log: EventLog;
  store: Store;
  /** The subjects of the log. */
  filter: string;
  /** Stands for the rules by which messages are admitted. */
  admission: string;
  primitives: Primitives;
  logger: Logger;
  /** Told what became of each batch. `live`: it is news, not the catching up after a start. */
  onApplied?: (applied: readonly Applied[], about: { live: boolean; startedAt: number }) => void;
};

/** Milliseconds before the log is tried again after a failure. */
const RETRY_MS = 500;

/** Follows the log into the store. A file that another process holds is an exception, here and now. */
export function followLog(deps: FollowDeps): Following {
  const { log, store, filter, admission, primitives, logger } = deps;
  const stopping = new AbortController();
  const liveListeners = new Set<() => void>();
  let live = false;
  let pendingNow = () => 0;
  let rebuildReason = store.open();
  let interrupt: (error: Error) => void = () => {};

  function setLive(next: boolean) {
    if (next !== live)
      logger.info(
        { live: next, seq: store.seq() },
        next ? "caught up with the log" : "the log is out of reach",
      );
    live = next;
    if (!live) return;
    for (const listener of liveListeners) listener();
    liveListeners.clear();
  }

  function damaged(error: Error) {
    // It has been given up already, and is being made anew.
    if (!store.isOpen()) return;
    logger.error({ err: error, seq: store.seq() }, "the projection's file is damaged");
    live = false;
    rebuildReason = `the file is damaged: ${error.message}`;
    store.discard();
    interrupt(error);
  }

  function report(applied: readonly Applied[], startedAt: number) {
    for (const one of applied) {
      if (one.status === "rejected") logger.error(one, "a message of the log is not ours and was skipped");
      if (one.status === "newer")
        logger.error(
          { seq: one.seq, type: one.envelope.type, v: one.envelope.v },
          "the log holds an event of a later release; commands are refused until this one is upgraded",
        );
    }
    deps.onApplied?.(applied, { live, startedAt });
  }

  /** Applies what the follower hands over, in one transaction, and lets requests be answered before it hands over more. */
  async function take(records: readonly LogRecord[], apply: (batch: readonly LogRecord[]) => Applied[]) {
    const startedAt = Date.now();
    report(apply(records), startedAt);
    await new Promise(setImmediate);
  }

  async function fill(projection: Projection) {
    const follower = log.follow({
      filter,
      from: 1,
      onRecords: (records) => take(records, projection.applyBatch),
    });
    try {
      await Promise.race([follower.ready, follower.failed, stopped]);
    } finally {
      await follower.stop();
    }
    if (stopping.signal.aborted) throw new Error("stopped while rebuilding");
  }

  /** Makes the store fit the log: begun, on it, or rebuilt from it. */
  async function settle() {
    const { stream, created, lastSeq } = await log.info();
    const origin: Origin = { stream, created, admission };
    if (rebuildReason === null && !store.current().isBegun()) store.current().begin(origin);
    if (rebuildReason === null) {
      const view = { origin, lastSeq, get: log.get };
      const reason = await whyNotOnLog(store.current().checkpoint(), view, primitives);
      // Meanwhile the file may have turned out damaged.
      rebuildReason ??= reason;
    }
    if (rebuildReason === null) return;
    logger.warn({ reason: rebuildReason, lastSeq }, "REBUILDING the projection from the log");
    await store.rebuild(origin, fill);
    rebuildReason = null;
    logger.warn({ seq: store.seq() }, "the projection is rebuilt");
  }

  async function follow() {
    const follower = log.follow({
      filter,
      from: store.seq() + 1,
      onRecords: (records) => take(records, store.apply),
      onState: (state) => setLive(state === "live" && store.isOpen()),
    });
    pendingNow = follower.pending;
    const interrupted = new Promise<never>((_, reject) => {
      interrupt = reject;
    });
    try {
      await Promise.race([follower.failed, interrupted, stopped]);
    } finally {
      await follower.stop();
    }
  }

  async function run() {
    while (!stopping.signal.aborted) {
      try {
        await settle();
        await follow();
      } catch (error) {
        if (stopping.signal.aborted) return;
        setLive(false);
        if (error instanceof LogResetError) rebuildReason = error.message;
        // While the file is being rebuilt, it is the new one that fails, and the one in use is not to blame.
        else if (rebuildReason === null && isDamage(error)) damaged(error);
        logger.error({ err: error, rebuildReason }, "following the log failed; it is begun again");
        await delay(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve());
  });
  const ready = new Promise<void>((resolve) => liveListeners.add(resolve));
  const running = run();
  return {
    ready,
    isLive: () => live,
    pending: () => pendingNow(),
    damaged,
    async whenLive(timeoutMs) {
      if (live || timeoutMs <= 0) return live;
      return new Promise((resolve) => {
        const listener = () => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          liveListeners.delete(listener);
          resolve(false);
        }, timeoutMs);
        liveListeners.add(listener);
      });
    },
    async stop() {
      stopping.abort();
      await running;
      live = false;
    },
  };
}
