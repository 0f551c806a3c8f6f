import type { LogEntry } from "@incipit/client";
import { CHAIN_START } from "@incipit/events";
import { count } from "./text.ts";

/** What reading the whole log says about its chain. */
export type ChainSummary = {
  /** Messages read, and how many of them are valid events. */
  messages: number;
  events: number;
  /** The chain hash of the last valid event. */
  head: string;
  rejected: number;
  /** False where a message claims a place in the chain that it does not have, and no later event goes on from before it. */
  unbroken: boolean;
  /** The first of the messages at which the chain ends too early, or null. */
  brokenAt: number | null;
};

/**
 * Judges the chain as its messages go by. A message that is not ours is skipped, by every reader alike, and breaks
 * nothing: the next event goes on from the one before it. It is broken where events follow that do not.
 */
export function createChainReport(): { take: (entry: LogEntry) => void; summarise: () => ChainSummary } {
  let messages = 0;
  let rejected = 0;
  let chain = CHAIN_START;
  let brokenAt: number | null = null;
  return {
    take({ record, admission, chain: after }) {
      messages++;
      chain = after;
      if (admission.status !== "rejected") brokenAt = null;
      else {
        rejected++;
        if (admission.fault === "chain") brokenAt ??= record.seq;
      }
    },
    summarise: () => ({
      messages,
      events: chain.index,
      head: chain.head,
      rejected,
      unbroken: brokenAt === null,
      brokenAt,
    }),
  };
}

/** The summary as a person reads it. */
export function formatReport({ events, head, rejected, brokenAt }: ChainSummary): string {
  const skipped = rejected === 0 ? "" : `, ${count(rejected, "message")} rejected`;
  return brokenAt === null
    ? `chain unbroken: ${count(events, "event")}${skipped}, head ${head}\n`
    : `chain BROKEN at seq ${brokenAt}: ${count(events, "event")} before it${skipped}, head ${head}\n`;
}
