import type { AppendMessage, Signer } from "@incipit/bus";
import {
  CATALOGUE,
  chainHash,
  encodeEnvelope,
  HEADERS,
  type ChainState,
  type Primitives,
  type PromptEvent,
  type Subjects,
} from "@incipit/events";
import type { Origin } from "../domain/commands.ts";

/** What making an envelope takes. */
export type EnvelopeDeps = {
  primitives: Primitives;
  subjects: Subjects;
  /** A new UUIDv7. */
  newId: () => string;
  sign?: Signer;
};

/** When and in which trace the events are appended. */
export type Moment = { at: string; trace: string | null };

/** Puts events into envelopes, each chained to the one before it, and signs them where there is a key. */
export function sealEvents(
  events: readonly PromptEvent[],
  { actor, commandId, commandHash }: Origin,
  chain: ChainState,
  { at, trace }: Moment,
  { primitives, subjects, newId, sign }: EnvelopeDeps,
): AppendMessage[] {
  const encoder = new TextEncoder();
  let { index, head } = chain;
  return events.map((event) => {
    const id = newId();
    const { v } = CATALOGUE[event.type];
    const { type, data } = event;
    index += 1;
    const payload = encoder.encode(
      encodeEnvelope({ id, type, v, at, actor, commandId, commandHash, trace, index, prev: head, data }),
    );
    const subject = subjects.logOf(event);
    head = chainHash(primitives, subject, payload);
    return {
      id,
      subject,
      payload,
      ...(sign !== undefined && { headers: { [HEADERS.signature]: sign(head) } }),
    };
  });
}
