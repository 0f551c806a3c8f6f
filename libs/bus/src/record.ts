import type { LogRecord } from "@incipit/events";
import { MsgHdrsImpl, type Msg, type MsgHdrs } from "nats";

/**
 * The headers of a message, or `undefined` where it has none or they cannot be read. The client decodes headers on first
 * use and throws on a name it does not like; inside a subscription's callback such an exception would stop the whole
 * connection from reading. So nothing else in this package touches `message.headers`.
 */
export function headersOf(message: Pick<Msg, "headers">): MsgHdrs | undefined {
  try {
    return message.headers;
  } catch {
    return undefined;
  }
}

/** What the server adds to a message it hands out; not part of what was stored. */
const ADDED = new Set([
  "Nats-Stream",
  "Nats-Subject",
  "Nats-Sequence",
  "Nats-Time-Stamp",
  "Nats-Last-Sequence",
  "Nats-Num-Pending",
]);

/**
 * The headers of a stored message as plain data: the first value of each name, without what the server adds. Headers that
 * cannot be read are none; they are hints only, and every way to read a message must say the same.
 */
export function readHeaders(headers: MsgHdrs | undefined): Record<string, string> {
  // A null prototype: the names come off the wire, and one of them could be `__proto__`.
  const result = Object.create(null) as Record<string, string>;
  if (headers) for (const [name, values] of headers) if (!ADDED.has(name)) result[name] = values[0] ?? "";
  return result;
}

/** The same, from the bytes of a header block. */
export function decodeHeaders(block: Uint8Array): Record<string, string> {
  try {
    return readHeaders(MsgHdrsImpl.decode(block));
  } catch {
    return readHeaders(undefined);
  }
}

/**
 * Where a message that the server hands out is stored, from the headers it added; null where they are not there. A stored
 * message can carry headers of these names itself, and the server writes its own behind them: the last value counts.
 */
export function readPlace(headers: MsgHdrs | undefined): { seq: number; subject: string } | null {
  const seq = Number(headers?.last("Nats-Sequence"));
  const subject = headers?.last("Nats-Subject") ?? "";
  return Number.isSafeInteger(seq) && seq >= 1 && subject !== "" ? { seq, subject } : null;
}

/** Whether a stored message is this one, byte for byte; its id is a header. */
export function isStored(
  record: LogRecord | null,
  message: { id: string; subject: string; payload: Uint8Array },
): record is LogRecord {
  return (
    record !== null &&
    record.headers["Nats-Msg-Id"] === message.id &&
    record.subject === message.subject &&
    Buffer.compare(record.payload, message.payload) === 0
  );
}
