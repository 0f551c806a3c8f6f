import type { EventLog, Follower, FollowState, Logger } from "@incipit/bus";
import type { AdmitOptions, LogRecord } from "@incipit/events";
import { createNowJudge, readNow, type Change } from "./now-judge.ts";
import type { Pointers } from "./pointers.ts";
import type { Prefetch } from "./prefetch.ts";
import { readAll } from "./read-all.ts";

/** What following `now` takes. */
export type FollowNowOptions = {
  log: EventLog;
  admit: AdmitOptions;
  pointers: Pointers;
  prefetch: Prefetch;
  /** Called after pointers moved, and when the state changed. */
  onProgress: () => void;
  /** Called for each message that is skipped. */
  onRejected: () => void;
  /** Aborts when the renderer stops. */
  signal: AbortSignal;
  logger: Logger;
};

/** A running follower of `now`. */
export type NowFollower = Pick<Follower, "ready" | "failed" | "stop"> & { state: () => FollowState };

/**
 * Follows the present state of the log. What arrives together is applied together: first everything in use that it
 * concerns is made ready, then all pointers move at once. Later messages wait behind.
 */
export function followNow(options: FollowNowOptions): NowFollower {
  const { log, admit, pointers, prefetch, onProgress, onRejected, signal, logger } = options;
  const judge = createNowJudge(admit);
  let state: FollowState = "stale";
  /** Whether every message since the last one handed over must have been handed over too. */
  let gapless = false;

  async function onRecords(records: readonly LogRecord[]): Promise<void> {
    const changes: Change[] = [];
    const overlaid = new Map<string, number>();
    for (const record of records) {
      const { seq, subject } = record;
      const reading = judge(record);
      if (reading.status === "repeated") continue;
      if (reading.status === "change") changes.push(reading.change);
      else if (reading.status === "rejected") {
        onRejected();
        logger.error({ seq, subject, reason: reading.reason }, "a message of the log was skipped");
        overlaid.set(subject, seq);
      } else if (reading.newer !== null) {
        logger.warn({ seq, subject, ...reading.newer }, "an event of a later release is not applied");
        overlaid.set(subject, seq);
      }
    }
    if (!gapless)
      for (const [subject, seq] of overlaid) {
        const change = await lastValid(subject, seq);
        if (change !== null) changes.push(change);
      }
    const last = records.at(-1)?.seq ?? 0;
    const outlook = pointers.foresee(changes);
    if (outlook.keys.size > 0) {
      const seq = Math.max(pointers.seq(), last);
      await prefetch(outlook.keys, { of: outlook.view.of, seq: () => seq });
    }
    outlook.commit(last);
    onProgress();
  }

  /** Read last-per-subject, a message that does not count hides the one below it, which does: that one is looked up. */
  async function lastValid(subject: string, before: number): Promise<Change | null> {
    const kind = admit.subjects.parseLog(subject)?.kind;
    if (kind !== "active" && kind !== "seed") return null;
    let found: Change | null = null;
    let index = 0;
    await readAll(
      log,
      subject,
      (record) => {
        if (record.seq >= before) return;
        const reading = readNow(record, admit);
        if (reading.status !== "change" || reading.index <= index) return;
        index = reading.index;
        found = reading.change;
      },
      signal,
    );
    return found;
  }

  const follower = log.follow({
    filter: admit.subjects.logNow,
    from: "lastPerSubject",
    onRecords,
    onState(next) {
      state = next;
      gapless = next === "live";
      onProgress();
    },
  });
  return { ready: follower.ready, failed: follower.failed, stop: follower.stop, state: () => state };
}
