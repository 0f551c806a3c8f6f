import type { EventLog } from "@incipit/bus";
import type { LogRecord } from "@incipit/events";

/**
 * Hands every message of one subject to `onRecord`, first to last, and ends. An outage makes it take longer; `signal` gives
 * it up with an exception.
 */
export async function readAll(
  log: EventLog,
  subject: string,
  onRecord: (record: LogRecord) => void,
  signal?: AbortSignal,
): Promise<void> {
  const follower = log.follow({
    filter: subject,
    from: 1,
    onRecords: (records) => {
      for (const record of records) onRecord(record);
    },
  });
  try {
    await Promise.race([follower.ready, follower.failed, ...(signal ? [aborted(signal)] : [])]);
  } finally {
    await follower.stop();
  }
}

/** Rejects when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(new Error("told to stop"));
    if (signal.aborted) give();
    signal.addEventListener("abort", give, { once: true });
  });
}
