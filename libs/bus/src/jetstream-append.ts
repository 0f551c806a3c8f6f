import { headers, type MsgHdrs } from "nats";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import type { AppendMessage, AppendOutcome } from "./event-log.ts";
import {
  API_ERRORS,
  isApiError,
  isNoResponders,
  JetStreamApiError,
  parseApiAnswer,
} from "./jetstream-api.ts";
import { getFromLeader } from "./jetstream-get.ts";
import { payloadLimit, sizeOnWire } from "./message-size.ts";
import { isStored } from "./record.ts";

const ackSchema = z.object({ stream: z.string(), seq: z.int().min(1), duplicate: z.boolean().optional() });

/** How long an acknowledgement may take, in milliseconds: with an fsync and three replicas, far less is usual. */
const ACK_TIMEOUT_MS = 5_000;

const EXPECTED_POSITION = "Nats-Expected-Last-Sequence";

const CONFLICTS = [API_ERRORS.wrongLastSequence, API_ERRORS.wrongLastSequenceConstant];

type StoreOutcome =
  | { stored: true; seq: number }
  /** The server said no: it is not stored. */
  | { stored: false; refusal: Error; conflict: boolean }
  /** No word of it. */
  | { stored: null; cause: unknown };

/**
 * Appends messages, each only if the log's last position is the one before it. One after the other, never pipelined: if
 * another writer stores one message first, the server refuses our first but would take our second, which expects just the
 * position that the other message took.
 */
export async function appendToStream(
  connection: Connection,
  stream: string,
  messages: readonly AppendMessage[],
  expectedLastSeq: number,
): Promise<AppendOutcome> {
  const prepared = messages.map((message) => ({ message, base: prepare(stream, message) }));
  const limit = payloadLimit(connection.nats);
  const bytes = Math.max(0, ...prepared.map(({ message, base }) => sizeOnWire(message.payload, base)));
  if (bytes > limit) return { outcome: "tooLarge", bytes, limit };
  const seqs: number[] = [];
  for (const { message, base } of prepared) {
    const result = await storeOnce(connection, stream, message, base, seqs.at(-1) ?? expectedLastSeq);
    if (result.stored) seqs.push(result.seq);
    else if (result.stored === null) return { outcome: "unknown", cause: result.cause };
    else if (seqs.length === 0 && result.conflict) return { outcome: "conflict" };
    else return { outcome: "unknown", cause: result.refusal };
  }
  return { outcome: "appended", seqs };
}

/** Builds the headers. The position, which is set when the message is sent, is the longest there can be. */
function prepare(stream: string, message: AppendMessage): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(message.headers ?? {})) result.set(name, value);
  result.set("Nats-Msg-Id", message.id);
  result.set("Nats-Expected-Stream", stream);
  result.set(EXPECTED_POSITION, String(Number.MAX_SAFE_INTEGER));
  return result;
}

/**
 * Stores a message that may be a resend. Old servers look at its id first and acknowledge it again; new ones look at the
 * position first and refuse, so a refusal is checked against what is stored there.
 */
async function storeOnce(
  connection: Connection,
  stream: string,
  message: AppendMessage,
  base: MsgHdrs,
  expectedLastSeq: number,
): Promise<StoreOutcome> {
  const result = await store(connection, message, base, expectedLastSeq);
  if (result.stored !== false || !result.conflict) return result;
  try {
    const seq = expectedLastSeq + 1;
    const there = await getFromLeader(connection, stream, { seq });
    return isStored(there, message) ? { stored: true, seq } : result;
  } catch (cause) {
    return { stored: null, cause };
  }
}

async function store(
  connection: Connection,
  message: AppendMessage,
  base: MsgHdrs,
  expectedLastSeq: number,
): Promise<StoreOutcome> {
  base.set(EXPECTED_POSITION, String(expectedLastSeq));
  const what = `append to ${message.subject}`;
  try {
    const reply = await connection.request(message.subject, message.payload, {
      headers: base,
      timeoutMs: ACK_TIMEOUT_MS,
    });
    // A duplicate is our own message, stored by an earlier try whose acknowledgement was lost.
    const { seq } = parseApiAnswer(what, new TextDecoder().decode(reply.data), ackSchema);
    return { stored: true, seq };
  } catch (error) {
    if (isApiError(error, API_ERRORS.storeFailed)) return { stored: null, cause: error };
    if (error instanceof JetStreamApiError)
      return { stored: false, refusal: error, conflict: isApiError(error, ...CONFLICTS) };
    if (isNoResponders(error))
      return {
        stored: false,
        conflict: false,
        refusal: new Error(`${what}: no stream takes it`, { cause: error }),
      };
    return { stored: null, cause: error };
  }
}
