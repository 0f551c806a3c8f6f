import {
  admit,
  CHAIN_START,
  type Admission,
  type AdmitOptions,
  type ChainState,
  type LogRecord,
} from "@incipit/events";
import type { Json } from "@incipit/schema";
import type { Pointer } from "./render/pointer-view.ts";

/** One pointer moved: a label's, or the seed's (`label` null). @internal */
export type PointerChange = { key: string; label: string | null; pointer: Pointer };

/** A contract was published: its document is in the event itself. */
export type ContractChange = { contract: string; version: number; document: Json; seq: number };

/** What an event of `now` changes. */
export type Change = PointerChange | ContractChange;

/** A position of the log, and where the chain stands behind it. */
export type Anchor = { seq: number; chain: ChainState };

/** Before the first message. */
export const LOG_START: Anchor = { seq: 0, chain: CHAIN_START };

/** What there is to tell of messages of `now` that are not applied: the last ones of many, enough to go and look. */
type Notices = {
  foreign: { seq: number; subject: string; reason: string }[];
  /** Events of a later release: they take their place in the chain all the same. */
  newer: { seq: number; subject: string; type: string; v: number }[];
};

/** How many of each are kept. */
const NOTICES = 20;

/** What consecutive messages of the log come to. */
export type Fold = {
  /** Takes the next message. */
  add: (record: LogRecord) => Admission;
  /** Where the chain stands now. */
  anchor: () => Anchor;
  /** The last change of each subject. */
  changes: () => Change[];
  /** The positions of what was skipped, in order; and those of `now` among them. */
  foreign: readonly number[];
  foreignNow: readonly number[];
  notices: Notices;
  /** Position of the last message of `now`; 0 where there was none. */
  lastNow: () => number;
  /** Whether a message was skipped for its place in the chain alone: were the start wrong, it might be right. */
  doubtful: () => boolean;
};

/** Goes along the chain, message by message, from a position where its state is known: just as the registry does. */
export function foldChain(from: Anchor, options: AdmitOptions): Fold {
  let { seq, chain } = from;
  let doubtful = false;
  const changes = new Map<string, Change>();
  const nowPrefix = options.subjects.logNow.slice(0, -1);
  const foreign: number[] = [];
  const foreignNow: number[] = [];
  const notices: Notices = { foreign: [], newer: [] };
  let lastNow = 0;
  return {
    add(record) {
      const { subject } = record;
      const admission = admit(record, chain, options);
      seq = record.seq;
      const isNow = subject.startsWith(nowPrefix);
      if (isNow) lastNow = seq;
      if (admission.status === "rejected") {
        foreign.push(seq);
        if (isNow) {
          foreignNow.push(seq);
          keep(notices.foreign, { seq, subject, reason: admission.reason });
        }
        doubtful ||= admission.fault === "chain";
        return admission;
      }
      chain = admission.chain;
      if (admission.status === "newer") {
        const { type, v } = admission.envelope;
        if (isNow) keep(notices.newer, { seq, subject, type, v });
        return admission;
      }
      const change = changeOf(admission, seq);
      if (change !== null) changes.set(subject, change);
      return admission;
    },
    anchor: () => ({ seq, chain }),
    changes: () => [...changes.values()],
    foreign,
    foreignNow,
    notices,
    lastNow: () => lastNow,
    doubtful: () => doubtful,
  };
}

function keep<T>(notices: T[], notice: T) {
  notices.push(notice);
  if (notices.length > NOTICES) notices.shift();
}

/** What an event changes of the present state; null where nothing: a stored version. */
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
    case "ContractPublished": {
      const { name, version, document } = event.data;
      return { contract: name, version, document, seq };
    }
  }
}
