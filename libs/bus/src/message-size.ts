import type { MsgHdrs, NatsConnection } from "nats";

/** What NATS servers take unless told otherwise. */
const DEFAULT_LIMIT = 1024 * 1024;

/** The largest message, headers included, that the connected server takes, in bytes. It can change with a reconnect. */
export function payloadLimit(nats: NatsConnection): number {
  return nats.info?.max_payload ?? DEFAULT_LIMIT;
}

/** How much of that limit a message takes. Counts `NATS/1.0`, each `name: value` and the empty line, as they are sent. */
export function sizeOnWire(payload: Uint8Array, headers: MsgHdrs): number {
  let size = payload.length + "NATS/1.0\r\n\r\n".length;
  for (const [name, values] of headers)
    for (const value of values) size += Buffer.byteLength(name) + ": \r\n".length + Buffer.byteLength(value);
  return size;
}
