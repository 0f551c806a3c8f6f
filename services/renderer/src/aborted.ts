/** What `work` comes to, or a rejection as soon as `signal` aborts. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let give = () => {};
  const aborted = new Promise<never>((_, reject) => {
    give = () => reject(new Error("told to stop, or out of time"));
  });
  signal.addEventListener("abort", give);
  if (signal.aborted) give();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}
