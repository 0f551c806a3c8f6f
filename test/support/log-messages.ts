import type { AppendMessage, EventLog, FollowOptions, FollowState, Follower } from "@incipit/bus";
import type { LogRecord } from "@incipit/events";

let count = 0;

/** A message with an id of its own. */
export function message(subject: string, body = "{}", more: Partial<AppendMessage> = {}): AppendMessage {
  return { id: `id-${process.pid}-${++count}`, subject, payload: new TextEncoder().encode(body), ...more };
}

/** The payload as text. */
export const textOf = (record: LogRecord | null) =>
  record ? new TextDecoder().decode(record.payload) : null;

/** Appends one message after the other, each at the end; gives the positions. */
export async function fill(log: EventLog, subjects: readonly string[]): Promise<number[]> {
  const seqs: number[] = [];
  let { lastSeq } = await log.info();
  for (const subject of subjects) {
    const result = await log.append([message(subject, subject)], lastSeq);
    if (result.outcome !== "appended") throw new Error(`not appended: ${result.outcome}`);
    lastSeq = result.seqs[0] as number;
    seqs.push(lastSeq);
  }
  return seqs;
}

/** A follower that keeps what it saw. */
export type Watcher = Follower & { records: LogRecord[]; batches: number[]; states: FollowState[] };

/** Follows a log and keeps what comes. */
export function watch(
  log: EventLog,
  options: Pick<FollowOptions, "filter" | "from"> & {
    onBatch?: (records: readonly LogRecord[]) => Promise<void>;
  },
): Watcher {
  const records: LogRecord[] = [];
  const batches: number[] = [];
  const states: FollowState[] = [];
  const follower = log.follow({
    filter: options.filter,
    from: options.from,
    onState: (state) => states.push(state),
    onRecords: async (batch) => {
      await options.onBatch?.(batch);
      records.push(...batch);
      batches.push(batch.length);
    },
  });
  return { ...follower, records, batches, states };
}

/** The positions of records. */
export const seqsOf = (records: readonly LogRecord[]) => records.map(({ seq }) => seq);
