import { CATALOGUE, chainHash, isEventType, type LogRecord, type Primitives } from "@incipit/events";
import type { Checkpoint, Origin } from "./checkpoint.ts";

/** What is asked of the log: its origin and end as of now, and single messages. */
export type LogView = {
  origin: Origin;
  lastSeq: number;
  get: (seq: number) => Promise<LogRecord | null>;
};

/**
 * Why a checkpoint does not lie on a log, so that what was projected must be thrown away; null where it does: the same
 * stream, read by the same rules, at least as long, and with the message at the chain's head that was there.
 */
export async function whyNotOnLog(
  checkpoint: Checkpoint,
  log: LogView,
  primitives: Primitives,
): Promise<string | null> {
  const { stream, created, admission } = log.origin;
  const { seq, chain, headSeq, newer } = checkpoint;
  if (checkpoint.stream !== stream) return `it is of the stream ${checkpoint.stream}, the log is ${stream}`;
  if (checkpoint.created !== created)
    return `it is of a stream made at ${checkpoint.created}, the log was made at ${created}`;
  if (checkpoint.admission !== admission) return "it was made with another prefix or other verification keys";
  if (seq > log.lastSeq) return `it ends at ${seq}, beyond the end of the log at ${log.lastSeq}`;
  if (newer !== null && isEventType(newer.type) && CATALOGUE[newer.type].v >= newer.v)
    return `this release knows the event ${newer.type} v${newer.v} at ${newer.seq}, the one before did not`;
  if (headSeq === 0) return null;
  const head = await log.get(headSeq);
  if (head === null) return `the log has nothing at ${headSeq}, where its chain ends`;
  if (chainHash(primitives, head.subject, head.payload) !== chain.head)
    return `the log holds another message at ${headSeq}, where its chain ends`;
  return null;
}
