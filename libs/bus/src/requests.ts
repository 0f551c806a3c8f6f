import { ErrorCode, NatsError, type Msg, type MsgHdrs, type NatsConnection } from "nats";
import { headersOf } from "./record.ts";

/** The answer to a request. `headers` are undefined where there are none or they cannot be read. */
export type Reply = { data: Uint8Array; headers: MsgHdrs | undefined };

/** What a request may carry. */
export type RawRequest = { headers?: MsgHdrs; timeoutMs: number };

/** Requests over one connection. */
export type Requests = {
  send: (subject: string, payload: Uint8Array | string, options: RawRequest) => Promise<Reply>;
  /** Ends every wait with an error, or only the waits for answers from one subject. */
  failAll: (error: Error, subject?: string) => void;
};

type Waiting = { subject: string; settle: (outcome: Reply | Error) => void };

/**
 * Request and reply over one shared inbox, which is a subject of our own. The client's own `request` does the same, but decodes the reply's headers where
 * an exception stops the connection from reading, and takes any empty reply with status 503 for "no responders"; both can
 * come out of a stored message.
 */
export function createRequests(nats: NatsConnection, inbox: string): Requests {
  const waiting = new Map<string, Waiting>();
  let count = 0;

  function onReply(error: NatsError | null, message: Msg) {
    if (error) return failAll(error);
    const token = message.subject.slice(inbox.length + 1);
    const request = waiting.get(token);
    if (!request) return;
    const headers = headersOf(message);
    request.settle(
      isNoResponders(message.data, headers)
        ? NatsError.errorForCode(ErrorCode.NoResponders)
        : { data: message.data, headers },
    );
  }

  function failAll(error: Error, subject?: string) {
    for (const request of waiting.values())
      if (subject === undefined || subject === request.subject) request.settle(error);
  }

  nats.subscribe(`${inbox}.*`, { callback: onReply });

  return {
    failAll,
    send: (subject, payload, { headers, timeoutMs }) =>
      new Promise((resolve, reject) => {
        const token = (count++).toString(36);
        const settle = (outcome: Reply | Error) => {
          clearTimeout(timer);
          waiting.delete(token);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        const timer = setTimeout(() => settle(NatsError.errorForCode(ErrorCode.Timeout)), timeoutMs);
        waiting.set(token, { subject, settle });
        try {
          nats.publish(subject, payload, { reply: `${inbox}.${token}`, ...(headers && { headers }) });
        } catch (error) {
          settle(error instanceof Error ? error : new Error("cannot publish", { cause: error }));
        }
      }),
  };
}

/** The server's own message: a status and nothing else, but the subject asked for where the server is 2.12 or newer. */
function isNoResponders(data: Uint8Array, headers: MsgHdrs | undefined): boolean {
  return (
    data.length === 0 && headers?.code === 503 && headers.keys().every((name) => name === "Nats-Subject")
  );
}
