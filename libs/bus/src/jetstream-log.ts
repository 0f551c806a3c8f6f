import type { LogRecord, Subjects } from "@incipit/events";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import type { EventLog } from "./event-log.ts";
import { followStream } from "./follower.ts";
import { API_ERRORS, API_TIMEOUT_MS, callApi, isApiError, isNoResponders } from "./jetstream-api.ts";
import { appendToStream } from "./jetstream-append.ts";
import { decodeHeaders, readHeaders, readPlace } from "./record.ts";
import { streamInfo } from "./stream.ts";

/** Which message to get, in the API's words. */
type Query = { seq: number } | { last_by_subj: string };

const storedSchema = z.object({
  message: z.object({
    subject: z.string(),
    seq: z.int().min(1),
    hdrs: z.string().optional(),
    data: z.string().optional(),
  }),
});

/** The log kept in a JetStream stream. Nothing is sent yet. */
export function createJetStreamLog(
  connection: Connection,
  { stream, subjects }: { stream: string; subjects: Subjects },
): EventLog {
  const ours = subjects.logAll.slice(0, -1);

  async function find(query: Query, leader: boolean): Promise<LogRecord | null> {
    const near = leader ? null : await getDirect(connection, stream, query);
    return near ?? getFromLeader(connection, stream, query);
  }

  return {
    async info() {
      const info = await streamInfo(connection, stream);
      if (info === null) throw new Error(`There is no stream ${stream} at ${connection.servers}.`);
      return { stream, created: info.created, lastSeq: info.state.last_seq };
    },
    async append(messages, expectedLastSeq) {
      const stray = messages.find(({ subject }) => !subject.startsWith(ours));
      if (stray) throw new Error(`${stray.subject} is not a subject of the log ${subjects.logAll}.`);
      return appendToStream(connection, stream, messages, expectedLastSeq);
    },
    get: async (seq) => (seq < 1 ? null : find({ seq }, false)),
    last: (subject, { leader = false } = {}) => find({ last_by_subj: subject }, leader),
    follow: (options) => followStream(connection, stream, options),
  };
}

/** Asks any replica. Null where that one has no such message, or what it says cannot be read. */
async function getDirect(connection: Connection, stream: string, query: Query): Promise<LogRecord | null> {
  try {
    const reply = await connection.request(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(query), {
      timeoutMs: API_TIMEOUT_MS,
    });
    const place = readPlace(reply.headers);
    return place && { ...place, payload: reply.data, headers: readHeaders(reply.headers) };
  } catch (error) {
    // No stream, or no replica that serves direct gets just now: the leader knows which.
    if (isNoResponders(error)) return null;
    throw error;
  }
}

/** Asks the stream's leader, who has every acknowledged message. Null where there is none. */
async function getFromLeader(
  connection: Connection,
  stream: string,
  query: Query,
): Promise<LogRecord | null> {
  try {
    const { message } = await callApi(connection, `STREAM.MSG.GET.${stream}`, query, storedSchema);
    return {
      seq: message.seq,
      subject: message.subject,
      payload: new Uint8Array(Buffer.from(message.data ?? "", "base64")),
      headers: decodeHeaders(Buffer.from(message.hdrs ?? "", "base64")),
    };
  } catch (error) {
    if (isApiError(error, API_ERRORS.noMessage)) return null;
    throw error;
  }
}
