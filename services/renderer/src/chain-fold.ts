import {
  admit,
  CHAIN_START,
  type Admission,
  type AdmitOptions,
  type ChainState,
  type LogRecord,
} from "@incipit/events";
import type { Pointer } from "./render/pointer-view.ts";

/** One pointer moved: a label's, or the seed's (`label` null). */
export type Change = { key: string; label: string | null; pointer: Pointer };

/** A position of the log, and where the chain stands behind it. */
export type Anchor = { seq: number; chain: ChainState };

/** Before the first message. */
export const LOG_START: Anchor = { seq: 0, chain: CHAIN_START };

/** A message that does not count. */
export type Foreign = { seq: number; subject: string; reason: string };

/** What consecutive messages of the log come to. */
export type Fold = {
  /** Takes the next message. */
  add: (record: LogRecord) => Admission;
  /** Where the chain stands now. */
  anchor: () => Anchor;
  /** The last change of each subject, in the order of the log. */
  changes: () => Change[];
  /** What was skipped, in the order of the log. */
  foreign: readonly Foreign[];
  /** Events of a later release: they take their place in the chain and are not applied. */
  newer: readonly { seq: number; subject: string; type: string; v: number }[];
  /** Whether a message was skipped for its place in the chain alone: were the start wrong, it might be right. */
  doubtful: () => boolean;
};

/** Goes along the chain, message by message, from a position where its state is known: just as the registry does. */
export function foldChain(from: Anchor, options: AdmitOptions): Fold {
  let { seq, chain } = from;
  let doubtful = false;
  const changes = new Map<string, Change>();
  const foreign: Foreign[] = [];
  const newer: { seq: number; subject: string; type: string; v: number }[] = [];
  return {
    add(record) {
      const { subject } = record;
      const admission = admit(record, chain, options);
      seq = record.seq;
      if (admission.status === "rejected") {
        foreign.push({ seq, subject, reason: admission.reason });
        doubtful ||= admission.fault === "chain";
        return admission;
      }
      chain = admission.chain;
      if (admission.status === "newer") {
        const { type, v } = admission.envelope;
        newer.push({ seq, subject, type, v });
        return admission;
      }
      const change = changeOf(admission, seq);
      if (change !== null) changes.set(subject, change);
      return admission;
    },
    anchor: () => ({ seq, chain }),
    changes: () => [...changes.values()],
    foreign,
    newer,
    doubtful: () => doubtful,
  };
}

/** What an event means for the pointers; null where nothing: a stored version, a contract. */
export function changeOf(
  { event, envelope }: Pick<Admission & { status: "event" }, "event" | "envelope">,
  seq: number,
): Change | null {
  const { trace } = envelope;
  switch (event.type) {
    case "TemplateAdded":
      return event.data.version === 0
        ? { key: event.data.key, label: null, pointer: { version: 0, seq, trace } }
        : null;
    case "TemplateActivated":
    case "TemplateDeactivated": {
      const version = event.type === "TemplateActivated" ? event.data.version : null;
      return { key: event.data.key, label: event.data.label, pointer: { version, seq, trace } };
    }
    case "ContractPublished":
      return null;
  }
}
