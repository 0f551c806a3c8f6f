import { unlessAborted } from "./aborted.ts";

/**
 * Runs something for at most `ms`: rejects then, or as soon as `signal` aborts, whatever the run does. The run is given a
 * signal that aborts when nobody waits for it any more.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    return await unlessAborted(ending.signal, run(ending.signal));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
