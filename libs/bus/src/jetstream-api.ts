import { z } from "zod";
import type { Connection } from "./connection.ts";

/** Error codes of the JetStream API that this package tells apart; listed in the server's `errors.json`. */
export const API_ERRORS = {
  noMessage: 10037,
  streamNotFound: 10059,
  streamNameInUse: 10058,
  /** No leader at the moment: a cluster that elects one. */
  unavailable: 10008,
  /** The store could not write: whether something reached the disk is not known. */
  storeFailed: 10077,
  /** The two codes for "wrong last sequence": the older one, and the one of newer servers. */
  wrongLastSequence: 10071,
  wrongLastSequenceConstant: 10164,
} as const;

/** The JetStream API said no. */
export class JetStreamApiError extends Error {
  override name = "JetStreamApiError";
  readonly code: number;
  readonly errCode: number;
  constructor(what: string, error: ApiErrorShape) {
    super(`${what}: ${error.description ?? "no reason given"} (${error.code}/${error.err_code ?? 0})`);
    this.code = error.code;
    this.errCode = error.err_code ?? 0;
  }
}

const apiErrorSchema = z.object({
  code: z.number(),
  err_code: z.number().optional(),
  description: z.string().optional(),
});
type ApiErrorShape = z.infer<typeof apiErrorSchema>;

const failureSchema = z.object({ error: apiErrorSchema });

/** How long an answer of the API may take, in milliseconds. */
export const API_TIMEOUT_MS = 5_000;

/**
 * Calls the JetStream API: `call` is the subject behind `$JS.API.`. Throws `JetStreamApiError` if the server refuses, and
 * what `Connection.request` throws if no answer comes.
 */
export async function callApi<T>(
  connection: Connection,
  call: string,
  payload: object,
  answer: z.ZodType<T>,
): Promise<T> {
  const subject = `$JS.API.${call}`;
  let text: string;
  try {
    const message = await connection.request(subject, JSON.stringify(payload), { timeoutMs: API_TIMEOUT_MS });
    text = new TextDecoder().decode(message.data);
  } catch (cause) {
    throw new Error(explainSilence(connection, subject, cause), { cause });
  }
  return parseApiAnswer(subject, text, answer);
}

/** Reads an answer of the JetStream API. */
export function parseApiAnswer<T>(what: string, text: string, answer: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${what}: the answer is not JSON`, { cause });
  }
  const failure = failureSchema.safeParse(value);
  if (failure.success) throw new JetStreamApiError(what, failure.data.error);
  const parsed = answer.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${what}: the answer is not of the documented shape`, { cause: parsed.error });
}

function explainSilence(connection: Connection, subject: string, cause: unknown): string {
  return isNoResponders(cause)
    ? `${subject}: nobody answers. JetStream is not enabled at ${connection.servers}, or not for this account.`
    : `${subject}: no answer from NATS at ${connection.servers}`;
}

/** Whether a request failed because nobody listens on its subject. */
export function isNoResponders(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "503";
}

/**
 * Whether the JetStream API gave no answer: a cluster without a leader drops requests, and behind a leaf whose link is
 * not up nobody hears them.
 */
export function isApiSilence(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isNoResponders(cause) || (cause instanceof Error && "code" in cause && cause.code === "TIMEOUT");
}

/** Whether the JetStream API refused with this code. */
export function isApiError(error: unknown, ...errCodes: number[]): boolean {
  return error instanceof JetStreamApiError && errCodes.includes(error.errCode);
}
