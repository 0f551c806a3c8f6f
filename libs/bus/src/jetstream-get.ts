import type { LogRecord } from "@incipit/events";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import { API_ERRORS, API_TIMEOUT_MS, callApi, isApiError, isNoResponders } from "./jetstream-api.ts";
import { decodeHeaders, readHeaders, readPlace } from "./record.ts";

/** Which message to get, in the API's words. */
export type StoredQuery = { seq: number } | { last_by_subj: string };

const storedSchema = z.object({
  message: z.object({
    subject: z.string(),
    seq: z.int().min(1),
    hdrs: z.string().optional(),
    data: z.string().optional(),
  }),
});

/** Asks any replica. Null where that one has no such message, or what it says cannot be read. */
export async function getDirect(
  connection: Connection,
  stream: string,
  query: StoredQuery,
): Promise<LogRecord | null> {
  try {
    const reply = await connection.request(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(query), {
      timeoutMs: API_TIMEOUT_MS,
    });
    const place = readPlace(reply.headers);
    return place && { ...place, payload: new Uint8Array(reply.data), headers: readHeaders(reply.headers) };
  } catch (error) {
    // No stream, or no replica that serves direct gets just now: the leader knows which.
    if (isNoResponders(error)) return null;
    throw error;
  }
}

/** Asks the stream's leader, who has every acknowledged message. Null where there is none. */
export async function getFromLeader(
  connection: Connection,
  stream: string,
  query: StoredQuery,
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
