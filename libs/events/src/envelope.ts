import { ACTOR_PATTERN, commandIdSchema } from "@incipit/schema";
import { z } from "zod";
import { sha256HexSchema } from "./catalogue.ts";

/**
 * The stored payload of one message of the log, as JSON in UTF-8. Headers are hints only. `data` is validated by the
 * catalogue, after upcasting. Unknown fields are refused: a new one raises `v`.
 */
export const envelopeSchema = z.strictObject({
  /** UUIDv7; also the message's `Nats-Msg-Id`. */
  id: z.uuid(),
  type: z.string().min(1).max(100),
  v: z.int().min(1),
  /** ISO-8601 UTC, milliseconds. */
  at: z.iso.datetime({ precision: 3 }),
  actor: z.string().regex(ACTOR_PATTERN),
  commandId: commandIdSchema,
  /** sha-256 of the command as it was sent, so that a retry is told from another command with the same id. */
  commandHash: sha256HexSchema,
  /** W3C traceparent of the append, or null. */
  trace: z.string().max(200).nullable(),
  /** Counts valid events from 1. */
  index: z.int().min(1),
  /** The chain hash of the previous valid event; 64 zeros before the first. */
  prev: sha256HexSchema,
  data: z.unknown(),
});
/** A parsed envelope; its `data` is still to be upcast and validated. */
export type Envelope = z.infer<typeof envelopeSchema>;

/** Writes an envelope as the JSON text that is stored, fields in the documented order. */
export function encodeEnvelope(envelope: Envelope): string {
  const { id, type, v, at, actor, commandId, commandHash, trace, index, prev, data } = envelope;
  return JSON.stringify({ id, type, v, at, actor, commandId, commandHash, trace, index, prev, data });
}
