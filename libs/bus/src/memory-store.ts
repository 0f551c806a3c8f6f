import type { LogRecord } from "@incipit/events";
import { matchesSubject } from "./subject-match.ts";

type Stored = { record: LogRecord; at: number };

/** What becomes of a message that is to be stored. */
export type MemoryStoreOutcome =
  { outcome: "stored" | "duplicate"; seq: number } | { outcome: "wrongLastSequence" };

/** The messages of a log in memory, with the rules of a stream. Records go in and out as copies. */
export type MemoryStore = ReturnType<typeof createMemoryStore>;

/** Starts empty. `duplicateWindowMs`: how long a message id is remembered. */
export function createMemoryStore(duplicateWindowMs: number) {
  const messages: Stored[] = [];
  const ids = new Map<string, Stored>();

  /** Stores a message, the id first: a resend is told from a lost race. No expectation: it is stored anyway. */
  function store(message: Omit<LogRecord, "seq">, expectedLastSeq?: number): MemoryStoreOutcome {
    const now = Date.now();
    const id = message.headers["Nats-Msg-Id"];
    const known = id === undefined ? undefined : ids.get(id);
    if (known && now - known.at < duplicateWindowMs) return { outcome: "duplicate", seq: known.record.seq };
    if (expectedLastSeq !== undefined && expectedLastSeq !== messages.length)
      return { outcome: "wrongLastSequence" };
    const stored = { record: copy({ ...message, seq: messages.length + 1 }), at: now };
    messages.push(stored);
    if (id !== undefined) ids.set(id, stored);
    return { outcome: "stored", seq: stored.record.seq };
  }

  /** The position after which there is nothing. */
  const lastSeq = () => messages.length;

  function get(seq: number): LogRecord | null {
    const found = messages[seq - 1];
    return found ? copy(found.record) : null;
  }

  function last(filter: string): LogRecord | null {
    const found = messages.findLast(({ record }) => matchesSubject(filter, record.subject));
    return found ? copy(found.record) : null;
  }

  /** Matching records from a position on, at most `limit`. */
  function read(filter: string, from: number, limit: number): LogRecord[] {
    const found: LogRecord[] = [];
    for (let i = Math.max(0, from - 1); i < messages.length && found.length < limit; i++) {
      const record = messages[i]?.record;
      if (record && matchesSubject(filter, record.subject)) found.push(copy(record));
    }
    return found;
  }

  /** The last record of each matching subject, in order of position. */
  function lastPerSubject(filter: string): LogRecord[] {
    const found = new Map<string, LogRecord>();
    for (const { record } of messages)
      if (matchesSubject(filter, record.subject)) found.set(record.subject, record);
    return [...found.values()].toSorted((a, b) => a.seq - b.seq).map(copy);
  }

  return { store, lastSeq, get, last, read, lastPerSubject };
}

function copy({ seq, subject, payload, headers }: LogRecord): LogRecord {
  return { seq, subject, payload: Uint8Array.from(payload), headers: { ...headers } };
}
