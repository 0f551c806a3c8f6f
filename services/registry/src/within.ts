/** What was waited for did not come in time. */
export class LateError extends Error {
  override name = "LateError";
}

/** The promise's value, or a `LateError` once the time given is over. What is late is ignored. */
export async function within<T>(timeoutMs: number, promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new LateError(`${what} took longer than ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
