import type { EventLog } from "@incipit/bus";
import {
  admit,
  CHAIN_START,
  type Admission,
  type AdmitOptions,
  type ChainState,
  type LogRecord,
} from "@incipit/events";
import { problem } from "@incipit/schema";
import { IncipitError } from "./error.ts";

/** What part of the log to read. */
export type LogOptions = {
  /** The first position to hand over, 1. The log is read from its start all the same: a chain has no other. */
  from?: number;
  /** Go on with what is written from now on, until the caller stops iterating. */
  follow?: boolean;
  /** Without `follow`: how long the log may stay silent before that counts as an outage, in milliseconds. */
  timeoutMs?: number;
  /** Ends the iteration, also one that waits for what is to come. */
  signal?: AbortSignal;
};

/** One message of the log, and what became of it. */
export type LogEntry = {
  record: LogRecord;
  admission: Admission;
  /** The chain after this message; a rejected one leaves it as it was. */
  chain: ChainState;
};

/**
 * Reads the log from its start, checks every message's place in the chain, and yields what lies at or after `from`.
 * Without `follow` it ends with the last message there was when everything pending had been read. Throws
 * `IncipitError` (`unavailable`) on an outage.
 */
export async function* readLog(
  log: EventLog,
  options: LogOptions & { timeoutMs: number },
  admitOptions: AdmitOptions,
): AsyncGenerator<LogEntry> {
  const { from = 1, follow = false, timeoutMs, signal } = options;
  const { lastSeq } = await reach(() => log.info());
  if (lastSeq === 0 && !follow) return;
  let chain = CHAIN_START;
  let seen = 0;
  for await (const record of pull(log, admitOptions.subjects.logAll, follow ? null : timeoutMs, signal)) {
    if (record.seq <= seen) continue; // a follower that was reset hands over again
    seen = record.seq;
    const admission = admit(record, chain, admitOptions);
    if (admission.status !== "rejected") chain = admission.chain;
    if (seen >= from) yield { record, admission, chain };
    if (!follow && seen >= lastSeq) return;
  }
}

/** Turns a follower, which pushes, into something to iterate over. The follower waits while nobody asks for more. */
async function* pull(
  log: EventLog,
  filter: string,
  silenceMs: number | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<LogRecord> {
  let batch: readonly LogRecord[] | null = null;
  let taken: (() => void) | null = null;
  let wake: (() => void) | null = null;
  let failure: { cause: unknown } | null = null;
  let isReady = false;
  const follower = log.follow({
    filter,
    from: 1,
    onRecords: (records) => {
      batch = records;
      wake?.();
      return new Promise<void>((resolve) => (taken = resolve));
    },
  });
  follower.failed.catch((cause: unknown) => {
    failure = { cause };
    wake?.();
  });
  follower.ready.then(
    () => {
      isReady = true;
      wake?.();
    },
    () => {}, // `failed` says why
  );
  const onAbort = () => wake?.();
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      if (signal?.aborted) return;
      if (failure !== null) throw unavailable((failure as { cause: unknown }).cause);
      if (batch !== null) {
        const records: readonly LogRecord[] = batch;
        batch = null;
        yield* records;
        (taken as (() => void) | null)?.();
        continue;
      }
      if (isReady && silenceMs !== null) return;
      const { promise, end } = alarm(silenceMs);
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), promise]).finally(end);
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    (taken as (() => void) | null)?.();
    await follower.stop();
  }
}

/** Rejects after a while; never without one. */
function alarm(ms: number | null): { promise: Promise<never>; end: () => void } {
  if (ms === null) return { promise: new Promise<never>(() => {}), end: () => {} };
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`The log stayed silent for ${ms} ms.`))), ms);
  });
  return { promise, end: () => clearTimeout(timer) };
}

async function reach<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): IncipitError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new IncipitError(problem("unavailable", `The log cannot be read: ${why}`), { cause });
}
