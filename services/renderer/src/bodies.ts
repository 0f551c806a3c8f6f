import { readRecord, type AdmitOptions, type EventData, type LogRecord } from "@incipit/events";
import type { EventLog, Logger } from "@incipit/bus";
import type { NowJudge } from "./now-judge.ts";
import { readAll } from "./read-all.ts";
import { LogUnreachableError, within } from "./within.ts";
import { parseTemplate } from "@incipit/templates";
import type { Body, TemplateCache } from "./template-cache.ts";
import { versionId, type VersionRef } from "./render/version.ts";

/** Fetches bodies from the log. */
export type Bodies = {
  /**
   * Loads, verifies and parses one version and keeps it in the cache; `absent` where the log holds none. Concurrent loads
   * of one version are one. Throws `LogUnreachableError`, after five seconds at the latest; what was not found is not
   * remembered.
   */
  load: (ref: VersionRef) => Promise<Body | "absent">;
  /** Whether the log holds any stored version of a key. Throws `LogUnreachableError`. */
  hasVersions: (key: string) => Promise<boolean>;
};

/** What fetching takes. */
export type BodiesOptions = {
  log: EventLog;
  admit: AdmitOptions;
  /** Whether a message that is good by itself has its place in the chain. */
  isEvent: NowJudge["isEvent"];
  cache: TemplateCache;
  /** Aborts when nobody waits for bodies any more. */
  signal: AbortSignal;
  logger: Logger;
  /** The longest that one question to the log may take, with all that follows from it, in ms. */
  patienceMs?: number;
};

const PATIENCE_MS = 5_000;

/** Builds the loader. */
export function createBodies(options: BodiesOptions): Bodies {
  const { log, admit, isEvent, cache, signal: stopping, logger, patienceMs = PATIENCE_MS } = options;

  const load = singleFlight(async (ref: VersionRef): Promise<Body | "absent"> => {
    const data = await reach((signal) =>
      ref.seq === null ? findVersion(ref, signal) : findSeed(ref, ref.seq),
    );
    if (data === null) return "absent";
    const { kind, syntax, hash, body, contract } = data;
    const loaded: Body = { ref, kind, syntax, hash, contract, parsed: parseTemplate(body, syntax) };
    cache.putBody(loaded);
    return loaded;
  }, versionId);

  const hasVersions = singleFlight(
    async (key: string) => (await reach(() => log.last(admit.subjects.logVersionsOf(key)))) !== null,
    (key) => key,
  );

  /** The log may not answer, or go on for ever: a request must come to an end all the same. */
  async function reach<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await within(patienceMs, stopping, ask);
    } catch (cause) {
      if (cause instanceof LogUnreachableError) throw cause;
      throw new LogUnreachableError("the log did not answer", { cause });
    }
  }

  async function findSeed(ref: VersionRef, seq: number) {
    const record = await log.get(seq);
    return record === null ? null : accept(record, ref);
  }

  async function findVersion(ref: VersionRef, signal: AbortSignal) {
    const subject = admit.subjects.logVersion(ref.key, ref.version);
    const record = await log.last(subject);
    if (record === null) return null;
    return (await acceptEvent(record, ref, signal)) ?? (await findBehind(subject, ref, signal));
  }

  /** What is not ours may stand on top of what is: then the first good message of the subject counts. */
  async function findBehind(subject: string, ref: VersionRef, signal: AbortSignal) {
    const records: LogRecord[] = [];
    await readAll(log, subject, (record) => void records.push(record), signal);
    for (const record of records) {
      const data = await acceptEvent(record, ref, signal);
      if (data !== null) return data;
    }
    return null;
  }

  async function acceptEvent(record: LogRecord, ref: VersionRef, signal: AbortSignal) {
    const data = accept(record, ref);
    return data === null || (await isEvent(record, signal))
      ? data
      : skip(record, "it has no place in the chain");
  }

  /** The version that a message holds, or null (and an error in the log) where it is not a good one. */
  function accept(record: LogRecord, ref: VersionRef): EventData<"TemplateAdded"> | null {
    const reading = readRecord(record, admit);
    if (reading.status === "event" && reading.event.type === "TemplateAdded") {
      const { data } = reading.event;
      if (data.key === ref.key && data.version === ref.version) return data;
    }
    return skip(record, reading.status === "rejected" ? reading.reason : "not the event that belongs here");
  }

  function skip({ seq, subject }: LogRecord, reason: string): null {
    logger.error({ seq, subject, reason }, "a version on the log was skipped");
    return null;
  }

  return { load, hasVersions };
}

/** Calls for one thing while it is under way share its outcome. */
function singleFlight<A, R>(run: (argument: A) => Promise<R>, idOf: (argument: A) => string) {
  const flights = new Map<string, Promise<R>>();
  return (argument: A): Promise<R> => {
    const id = idOf(argument);
    const flying = flights.get(id);
    if (flying !== undefined) return flying;
    const flight = run(argument).finally(() => flights.delete(id));
    flights.set(id, flight);
    return flight;
  };
}
