import { refuse, type ErrorCode, type Result } from "@incipit/schema";

/** What may fail for a while and be right a moment later. A command is safe to send again: it carries its id. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["timeout", "unavailable"]);

/** Waits between attempts: at random up to these bounds, doubling from the first to the last, in milliseconds. */
const FIRST_WAIT_MS = 40;
const LAST_WAIT_MS = 1_000;
/** An attempt gets at most this share of what is left, so that a lost reply leaves time for another. */
const SHARE = 0.5;
/** Below this an attempt is not worth cutting short, in milliseconds. */
const SHORTEST_MS = 250;

/** What the retries need of the world. */
export type RetryWorld = {
  /** Milliseconds, monotonic. */
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** 0 up to 1. */
  random: () => number;
};

/** How one call may be repeated. */
export type RetryOptions = {
  /** Milliseconds for the call as a whole, all attempts and waits included. */
  timeoutMs: number;
  /** Also wait for somebody who answers at all. Off, `no_responders` is final, and comes at once. */
  retryNoResponders: boolean;
  /** The longest that one attempt can take to be answered, in milliseconds: beyond it, whoever had it is gone. */
  attemptMs?: number;
  /** Send once, whatever comes of it. */
  once?: boolean;
};

/**
 * Sends a request until it is answered, refused for good, or the time is up. `attempt` gets the milliseconds it may
 * take. The last refusal is the result.
 */
export async function withRetries<T>(
  attempt: (timeoutMs: number) => Promise<Result<T>>,
  { timeoutMs, retryNoResponders, attemptMs = Infinity, once = false }: RetryOptions,
  { now, sleep, random }: RetryWorld,
): Promise<Result<T>> {
  if (once) return attempt(timeoutMs);
  const deadline = now() + timeoutMs;
  let last: Result<T> = refuse("timeout", `No answer within ${timeoutMs} ms.`);
  for (let n = 0; ; n++) {
    const left = deadline - now();
    if (left <= 0) return last;
    last = await attempt(Math.min(attemptMs, left < 2 * SHORTEST_MS ? left : left * SHARE));
    if (last.ok || !mayPass(last.problem.code, retryNoResponders)) return last;
    const wait = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** n) * random();
    if (now() + wait >= deadline) return last;
    await sleep(wait);
  }
}

function mayPass(code: ErrorCode, retryNoResponders: boolean): boolean {
  return PASSING.has(code) || (retryNoResponders && code === "no_responders");
}
