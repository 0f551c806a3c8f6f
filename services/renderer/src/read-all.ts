import type { EventLog } from "@incipit/bus";
import type { LogRecord } from "@incipit/events";
import { unlessAborted } from "./aborted.ts";

/**
 * Hands every message of a subject or wildcard, from a position on, to `onRecord`, first to last, and ends. An outage makes it take longer; `signal` gives
 * it up with an exception.
 */
export async function readAll(
  log: EventLog,
  subject: string,
  onRecord: (record: LogRecord) => void,
  signal: AbortSignal,
  from = 1,
): Promise<void> {
  const follower = log.follow({
    filter: subject,
    from,
    onRecords: (records) => {
      for (const record of records) onRecord(record);
    },
  });
  try {
    await unlessAborted(signal, Promise.race([follower.ready, follower.failed]));
  } finally {
    await follower.stop();
  }
}
