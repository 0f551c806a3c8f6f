import { problem, refuse, type Result } from "@incipit/schema";
import { context, trace } from "@opentelemetry/api";
import { ErrorCode, headers as createHeaders, NatsError, type MsgHdrs } from "nats";
import { ConnectionLostError, PublishDeniedError, type Connection } from "./connection.ts";
import { payloadLimit, sizeOnWire } from "./message-size.ts";
import { encodeBody } from "./rpc-codec.ts";
import { readReply } from "./rpc-reply.ts";
import { endMessageSpan, messagingAttributes, startMessageSpan } from "./rpc-span.ts";
import type { RpcAnswer, RpcCall } from "./rpc.ts";
import { injectTrace } from "./trace.ts";

/**
 * How long a call waits for a lost connection to come back before it is `unavailable`, in milliseconds; never more than
 * half of the call's own time. A server's restart or a change of server takes less; whoever asks wants to know soon.
 */
const RECONNECT_WAIT_MS = 1_000;

/** One subject without wildcards; anything else would say something different to the server's parser. */
const SUBJECT = /^[^\s.*>\p{Cc}]+(\.[^\s.*>\p{Cc}]+)*$/u;

/**
 * Sends a request and waits for its reply. Every outcome of the bus is a refusal: `no_responders` at once where nobody
 * listens, `timeout`, `too_large` before anything is sent, `unavailable` without a connection, `bad_request` where the
 * server forbids the subject. Nothing is sent while the connection is down: what the client buffers then could still be
 * carried out after the caller was told that it was not.
 */
export async function requestOn(connection: Connection, call: RpcCall): Promise<Result<RpcAnswer>> {
  const attributes = { ...messagingAttributes("send", call.template), ...call.attributes };
  const span = startMessageSpan("send", call.template, attributes, context.active());
  let result: Result<RpcAnswer> = refuse("internal", "The request failed by a bug.");
  try {
    const headers = createHeaders();
    injectTrace(headers, trace.setSpan(context.active(), span));
    result = await exchange(connection, call, encodeBody(call.body ?? {}), headers);
    return result;
  } finally {
    endMessageSpan(span, result);
  }
}

async function exchange(
  connection: Connection,
  call: RpcCall,
  payload: Uint8Array,
  headers: MsgHdrs,
): Promise<Result<RpcAnswer>> {
  if (!SUBJECT.test(call.subject))
    return refuse(
      "bad_request",
      `${JSON.stringify(call.subject.slice(0, 100))} is not a subject one can send to.`,
    );
  const since = performance.now();
  if (!(await isBack(connection, Math.min(RECONNECT_WAIT_MS, call.timeoutMs / 2))))
    return refuse(
      "unavailable",
      `There is no connection to NATS at ${connection.servers}. Nothing was sent.`,
    );
  const size = sizeOnWire(payload, headers);
  const limit = payloadLimit(connection.nats);
  if (size > limit)
    return refuse(
      "too_large",
      `The request has ${size} bytes, and the NATS server takes at most ${limit}. Nothing was sent.`,
    );
  const timeoutMs = Math.max(1, call.timeoutMs - (performance.now() - since));
  try {
    const reply = await connection.request(call.subject, payload, { headers, timeoutMs });
    return readReply(reply.data, reply.headers);
  } catch (error) {
    return explain(error, connection, call);
  }
}

/** The refusal for what went wrong on the way; anything that is not the bus's own is thrown on. */
function explain(
  error: unknown,
  connection: Connection,
  { template, timeoutMs, isCommand = false }: RpcCall,
): Result<never> {
  const unknown = isCommand ? " Whether the command was carried out is not known." : "";
  if (error instanceof PublishDeniedError)
    return refuse("bad_request", `NATS does not permit this user to send to ${error.subject}.`);
  const code = error instanceof NatsError ? error.code : null;
  if (code === ErrorCode.PermissionsViolation)
    return refuse(
      "bad_request",
      "NATS does not permit this user to receive replies: its inbox prefix is wrong.",
    );
  if (code === ErrorCode.NoResponders)
    return refuse(
      "no_responders",
      `Nobody answers ${template}: either no service runs that does, or this user cannot reach one.`,
    );
  if (
    error instanceof ConnectionLostError ||
    connection.nats.isClosed() ||
    code === ErrorCode.ConnectionClosed ||
    code === ErrorCode.ConnectionDraining ||
    code === ErrorCode.Disconnect
  )
    return refuse(
      "unavailable",
      `The connection to NATS at ${connection.servers} was lost before the reply came.${unknown}`,
    );
  if (code === ErrorCode.Timeout)
    return refuse("timeout", `No reply came within ${Math.round(timeoutMs)} ms.${unknown}`);
  if (code === ErrorCode.MaxPayloadExceeded)
    return { ok: false, problem: problem("too_large", "The request is larger than the NATS server takes.") };
  throw error;
}

/** Whether the connection is up, or comes back within `ms`. */
function isBack(connection: Connection, ms: number): Promise<boolean> | boolean {
  if (connection.isConnected()) return true;
  if (connection.nats.isClosed()) return false;
  return new Promise((resolve) => {
    const settle = (back: boolean) => {
      clearTimeout(timer);
      forget();
      resolve(back);
    };
    const timer = setTimeout(() => settle(false), ms);
    const forget = connection.onState((state) => {
      if (state === "reconnected" || state === "connected") settle(true);
      else if (state === "closed") settle(false);
    });
  });
}
