import { unlessAborted } from "./aborted.ts";

/** The log did not answer, or not in time: nothing can be said about what it holds. */
export class LogUnreachableError extends Error {
  override name = "LogUnreachableError";
}

/**
 * Asks the log for at most `ms`: throws `LogUnreachableError` then, or as soon as `signal` aborts, whatever the asking
 * does. It is given a signal that aborts when nobody waits for it any more.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end);
  if (signal.aborted || ms <= 0) end();
  try {
    return await unlessAborted(ending.signal, ask(ending.signal));
  } catch (cause) {
    throw ending.signal.aborted
      ? new LogUnreachableError("the log did not answer in time", { cause })
      : cause;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
