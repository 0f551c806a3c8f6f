import type { EventLog } from "@incipit/bus";
import { chainHash, readRecord, type AdmitOptions, type LogRecord } from "@incipit/events";
import type { Anchor } from "./chain-fold.ts";

/** The most messages that are fetched one by one, all at once, before reading on is cheaper. */
export const NEAR = 64;

/** How many links a message must show where the chain is not followed up to it. */
const LINKS = 16;

/**
 * The messages at positions above `after` and below `before`, those known already among them; they are asked for all at
 * once. Throws where the log is out of reach.
 */
export async function fetchBetween(
  log: EventLog,
  after: number,
  before: number,
  known: readonly LogRecord[] = [],
): Promise<LogRecord[]> {
  const bySeq = new Map(known.map((record) => [record.seq, record]));
  const asked: Promise<LogRecord | null>[] = [];
  for (let seq = after + 1; seq < before; seq++) {
    const record = bySeq.get(seq);
    asked.push(record === undefined ? log.get(seq) : Promise.resolve(record));
  }
  return (await Promise.all(asked)).filter((record) => record !== null);
}

/**
 * Whether a message claims the very place that counting gives it (no foreign message since the anchor), and the messages
 * right before it are the links that its chain would have: sixteen, or all down to the anchor. Cheap and no proof: a chain
 * of forged links as long as that passes. Throws where the log is out of reach.
 */
export async function isLinked(
  log: EventLog,
  record: LogRecord,
  anchor: Anchor,
  options: AdmitOptions,
): Promise<boolean> {
  const { primitives } = options;
  const reading = readRecord(record, options);
  if (reading.status === "rejected") return false;
  let expected = reading.envelope;
  if (record.seq - expected.index !== anchor.seq - anchor.chain.index) return false;
  const bottom = Math.max(anchor.seq, record.seq - LINKS - 1);
  const below = await fetchBetween(log, bottom, record.seq);
  if (below.length !== record.seq - bottom - 1) return false;
  for (const link of below.toReversed()) {
    const read = readRecord(link, options);
    if (read.status === "rejected" || read.envelope.index !== expected.index - 1) return false;
    if (chainHash(primitives, link.subject, link.payload) !== expected.prev) return false;
    expected = read.envelope;
  }
  return bottom > anchor.seq || expected.prev === anchor.chain.head;
}
