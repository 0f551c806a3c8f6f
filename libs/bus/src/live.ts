import type { LogRecord } from "@incipit/events";
import type { Connection } from "./connection.ts";
import { headersOf, readHeaders, readPlace } from "./record.ts";

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
      const headers = headersOf(message);
      const place = readPlace(headers);
      if (place) onRecord({ ...place, payload: new Uint8Array(message.data), headers: readHeaders(headers) });
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
