import type { LogRecord } from "@incipit/events";
import { LogResetError, type Follower, type FollowOptions } from "./event-log.ts";
import { createFollowProgress } from "./follow-state.ts";
import type { MemoryStore } from "./memory-store.ts";

/** A log in memory as its followers see it. */
export type MemoryFeed = {
  stream: string;
  store: MemoryStore;
  connected: boolean;
  /** Counts how often the stream was made anew. */
  generation: number;
  /** Calls back whenever something is stored or the connection changes; the returned function ends that. */
  onChange: (callback: () => void) => () => void;
};

/** Most records of one batch. */
const BATCH_RECORDS = 500;

/** Follows a log in memory, with the rules of `EventLog.follow`. */
export function followMemory(feed: MemoryFeed, options: FollowOptions): Follower {
  const progress = createFollowProgress(options.onState);
  const { generation } = feed;
  let position = typeof options.from === "number" ? Math.max(1, options.from) : 1;
  let first: LogRecord[] | null = null;
  let stopped = false;
  let wake: (() => void) | null = null;

  const unwatch = feed.onChange(() => {
    if (!feed.connected) progress.enter("stale");
    wake?.();
  });

  function check() {
    if (feed.generation !== generation)
      throw new LogResetError(`The log ${feed.stream} is another one now: it was made anew.`);
    if (feed.store.lastSeq() < position - 1)
      throw new LogResetError(
        `The log ${feed.stream} is another one now: it ends at ${feed.store.lastSeq()}, and had been read up to ${position - 1}.`,
      );
  }

  /** What is there now and was not handed over. */
  function take(): LogRecord[] {
    if (options.from === "lastPerSubject" && first === null) {
      first = feed.store.lastPerSubject(options.filter);
      position = feed.store.lastSeq() + 1;
    }
    if (first !== null && first.length > 0) return first.splice(0, BATCH_RECORDS);
    const records = feed.store.read(options.filter, position, BATCH_RECORDS);
    const end = records.length === BATCH_RECORDS ? records.at(-1)?.seq : feed.store.lastSeq();
    position = (end ?? 0) + 1;
    return records;
  }

  async function run() {
    for (;;) {
      await Promise.resolve();
      if (stopped) return;
      const records = feed.connected ? (check(), take()) : [];
      if (records.length > 0) await options.onRecords(records);
      else {
        if (feed.connected) progress.enter("live");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  const running = run()
    .catch((error: unknown) => {
      progress.enter("stale");
      progress.fail(error);
    })
    .finally(unwatch);

  return {
    ready: progress.ready,
    failed: progress.failed,
    pending: () => (first?.length ?? 0) + Math.max(0, feed.store.lastSeq() + 1 - position),
    async stop() {
      stopped = true;
      wake?.();
      await running;
    },
  };
}
