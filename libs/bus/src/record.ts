import type { MsgHdrs } from "nats";

/** Headers as plain data: the first value of each name. */
export function readHeaders(headers: MsgHdrs | undefined): Record<string, string> {
  // A null prototype: the names come off the wire, and one of them could be `__proto__`.
  const result: Record<string, string> = Object.create(null) as Record<string, string>;
  if (headers) for (const [name, values] of headers) result[name] = values[0] ?? "";
  return result;
}
