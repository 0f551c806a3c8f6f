import type { EventLog, Follower, FollowState } from "@incipit/bus";
import type { LogRecord, Subjects } from "@incipit/events";
import type { NowJudge } from "./now-judge.ts";
import type { Pointers } from "./pointers.ts";
import type { Prefetch } from "./prefetch.ts";

/** What following `now` takes. */
export type FollowNowOptions = {
  log: EventLog;
  subjects: Subjects;
  judge: NowJudge["judge"];
  pointers: Pointers;
  prefetch: Prefetch;
  /** Called after pointers moved, and when the state changed. */
  onProgress: () => void;
};

/** A running follower of `now`. */
export type NowFollower = Pick<Follower, "ready" | "failed" | "stop"> & { state: () => FollowState };

/**
 * Follows the present state of the log. What arrives together is applied together: first everything in use that it
 * concerns is made ready, then all pointers move at once. Later messages wait behind.
 */
export function followNow(options: FollowNowOptions): NowFollower {
  const { log, subjects, judge, pointers, prefetch, onProgress } = options;
  let state: FollowState = "stale";
  let starting = true;

  async function onRecords(records: readonly LogRecord[]): Promise<void> {
    const { changes, afresh, seq: last } = await judge(records, starting);
    const outlook = pointers.foresee(changes, { afresh });
    if (outlook.keys.size > 0) {
      const seq = Math.max(pointers.seq(), last);
      await prefetch(outlook.keys, { ...outlook.view, seq: () => seq });
    }
    outlook.commit(last);
    onProgress();
  }

  const follower = log.follow({
    filter: subjects.logNow,
    from: "lastPerSubject",
    onRecords,
    onState(next) {
      state = next;
      if (next === "live") starting = false;
      onProgress();
    },
  });
  return { ready: follower.ready, failed: follower.failed, stop: follower.stop, state: () => state };
}
