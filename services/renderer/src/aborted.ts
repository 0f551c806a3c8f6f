/** Rejects when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(new Error("told to stop"));
    if (signal.aborted) give();
    signal.addEventListener("abort", give, { once: true });
  });
}
