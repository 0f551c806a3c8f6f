import type { LogRecord } from "@incipit/events";
import type { Connection } from "./connection.ts";
import { readHeaders } from "./record.ts";

/** A running subscription. */
export type LiveSubscription = { stop: () => void };

/**
 * Subscribes to what a stream republishes. A message that does not say from where it was republished is no record and is
 * passed over: within one account anybody may publish on that subject, so this is news, never proof.
 */
export function subscribeLive(
  connection: Connection,
  subject: string,
  onRecord: (record: LogRecord) => void,
): LiveSubscription {
  const subscription = connection.nats.subscribe(subject, {
    callback: (error, message) => {
      if (error) {
        connection.logger.error({ err: error, subject }, "cannot follow what is republished");
        return;
      }
      const headers = readHeaders(message.headers);
      const seq = Number(headers["Nats-Sequence"]);
      const from = headers["Nats-Subject"];
      if (from === undefined || !Number.isSafeInteger(seq) || seq < 1) return;
      onRecord({ seq, subject: from, payload: message.data, headers });
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
