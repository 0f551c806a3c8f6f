import type { FollowState } from "./event-log.ts";

/** The outward side of a follower: its promises and its state, the same for every adapter. */
export type FollowProgress = {
  ready: Promise<void>;
  failed: Promise<never>;
  /** Tells a change of state; the first `live` settles `ready`. */
  enter: (state: FollowState) => void;
  /** Ends with an error: both promises reject, as far as they are not settled. */
  fail: (error: unknown) => void;
};

/** Starts in neither state. `ready` and `failed` may be ignored: neither becomes an unhandled rejection. */
export function createFollowProgress(onState: ((state: FollowState) => void) | undefined): FollowProgress {
  let becomeReady: () => void = () => {};
  const rejections: ((error: unknown) => void)[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    becomeReady = resolve;
    rejections.push(reject);
  });
  const failed = new Promise<never>((_, reject) => {
    rejections.push(reject);
  });
  ready.catch(() => {});
  failed.catch(() => {});
  let current: FollowState | null = null;
  return {
    ready,
    failed,
    enter(state) {
      if (state === current) return;
      current = state;
      onState?.(state);
      if (state === "live") becomeReady();
    },
    fail(error) {
      for (const reject of rejections) reject(error);
    },
  };
}
