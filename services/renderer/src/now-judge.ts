import { readRecord, type AdmitOptions, type LogRecord } from "@incipit/events";
import type { Pointer } from "./render/pointer-view.ts";

/** One pointer moved: a label's, or the seed's (`label` null). */
export type Change = { key: string; label: string | null; pointer: Pointer };

/** What one message of `now` means for the pointers. */
export type NowReading =
  | { status: "change"; change: Change; index: number }
  /** Valid, and of no concern here: a contract, or an event of a later release. */
  | { status: "other"; newer: { type: string; v: number } | null; index: number }
  | { status: "rejected"; reason: string };

/** Reads one message on its own: its shape, subject and signature. */
export function readNow(record: LogRecord, options: AdmitOptions): NowReading {
  const reading = readRecord(record, options);
  if (reading.status === "rejected") return reading;
  const { envelope } = reading;
  const { index, trace } = envelope;
  if (reading.status === "newer")
    return { status: "other", newer: { type: envelope.type, v: envelope.v }, index };
  const { event } = reading;
  const { seq } = record;
  switch (event.type) {
    case "TemplateAdded":
      return event.data.version === 0
        ? {
            status: "change",
            change: { key: event.data.key, label: null, pointer: { version: 0, seq, trace } },
            index,
          }
        : { status: "rejected", reason: "a stored version does not belong on this subject" };
    case "TemplateActivated":
    case "TemplateDeactivated": {
      const version = event.type === "TemplateActivated" ? event.data.version : null;
      const change = { key: event.data.key, label: event.data.label, pointer: { version, seq, trace } };
      return { status: "change", change, index };
    }
    case "ContractPublished":
      return { status: "other", newer: null, index };
  }
}

/** Judges the messages of `now` in the order of the log; `repeated` for one that was judged before. */
export type NowJudge = (record: LogRecord) => NowReading | { status: "repeated" };

/**
 * Judges messages one after the other. Besides what `readNow` checks, the place an event claims in the chain must lie
 * above that of every valid one before it: an old message that somebody stored again, signature and all, does not.
 */
export function createNowJudge(options: AdmitOptions): NowJudge {
  let seq = 0;
  let index = 0;
  return (record) => {
    if (record.seq <= seq) return { status: "repeated" };
    seq = record.seq;
    const reading = readNow(record, options);
    if (reading.status === "rejected") return reading;
    if (reading.index > record.seq)
      return { status: "rejected", reason: `index ${reading.index} is above its position in the log` };
    if (reading.index <= index)
      return {
        status: "rejected",
        reason: `index ${reading.index} is not above ${index}: an old event again`,
      };
    index = reading.index;
    return reading;
  };
}
