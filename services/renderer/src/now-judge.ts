import { setTimeout as delay } from "node:timers/promises";
import { LogResetError, type EventLog, type Logger } from "@incipit/bus";
import { chainHash, readRecord, type AdmitOptions, type LogRecord } from "@incipit/events";
import { changeOf, foldChain, LOG_START, type Anchor, type Change, type Fold } from "./chain-fold.ts";
import { fetchBetween, isLinked, NEAR } from "./near-log.ts";
import { readAll } from "./read-all.ts";

/** What a batch of `now` comes to. */
type Verdict = {
  changes: Change[];
  /** What was believed so far may be wrong: the changes are all there is, and take the place of the whole state. */
  afresh: boolean;
  /** Position of the last message of `now` that is reflected thereby. */
  seq: number;
};

/** Tells which messages of the log are events. */
export type NowJudge = {
  /**
   * Judges messages of `now` in the order of the log, one batch after the other; those that were judged before are passed
   * over. `starting`: only the last message of each subject is among them. An outage makes it take longer.
   */
  judge: (records: readonly LogRecord[], starting: boolean) => Promise<Verdict>;
  /** Whether a well-formed message of any kind has its place in the chain. Throws where the log is out of reach. */
  isEvent: (record: LogRecord, signal: AbortSignal) => Promise<boolean>;
};

/** What judging takes. */
export type NowJudgeOptions = {
  log: EventLog;
  admit: AdmitOptions;
  /** Called for each message of `now` that is skipped. */
  onRejected: () => void;
  /** Called when what was believed so far may have been wrong, so that nothing built on it is kept. */
  onDoubt: () => void;
  /** Aborts when the renderer stops. */
  signal: AbortSignal;
  logger: Logger;
};

/**
 * How far the chain was followed. `sure`: message by message from the log's start; else counted only, see `count`.
 * `foreign`: positions up to there whose messages do not count.
 */
type Known = Anchor & { sure: boolean; foreign: Set<number> };

/** How long a replica that lags is given before it is asked again. */
const LAG_MS = 50;

/**
 * Builds the judge. It follows the chain as the registry does, by fetching what stands between the messages of `now`; a
 * start on a long log only counts and looks at the last links, as long as nothing speaks against it. As soon as anything
 * does, the log is read from its start, once, and from then on the judge is sure.
 */
export function createNowJudge(options: NowJudgeOptions): NowJudge {
  const { log, admit, onRejected, onDoubt, signal, logger } = options;
  let known: Known = { ...LOG_START, sure: true, foreign: new Set() };
  let toldUpTo = 0;
  let lastNow = 0;

  async function judge(records: readonly LogRecord[], starting: boolean): Promise<Verdict> {
    const fresh = records.filter(({ seq }) => seq > known.seq);
    const last = fresh.at(-1);
    if (last === undefined) return { changes: [], afresh: false, seq: lastNow };
    lastNow = Math.max(lastNow, last.seq);
    const isNear = last.seq - known.seq - fresh.length <= NEAR;
    if (!isNear && (starting || !known.sure)) {
      // Where the log is out of reach, reading it waits until it is back.
      const counted = await count(fresh, last).catch(() => null);
      if (counted !== null) return counted;
    }
    const fold = (isNear ? await foldNear(fresh, last) : null) ?? (await readOn(known, last.seq, signal));
    if (!fold.doubtful() || known.sure) return settle(fold, false);
    logger.error(
      { seq: last.seq },
      "a message contradicts what is known of the log: it is read from its start",
    );
    return settle(await readOn(LOG_START, last.seq, signal), true);
  }

  /** Follows the chain over what is at hand and what is fetched in between; null where the log is out of reach. */
  async function foldNear(fresh: readonly LogRecord[], last: LogRecord): Promise<Fold | null> {
    try {
      const fold = foldChain(known, admit);
      for (const record of await fetchBetween(log, known.seq, last.seq, fresh)) fold.add(record);
      fold.add(last);
      return fold;
    } catch {
      return null;
    }
  }

  /** Follows the chain over everything behind a position, to the end of the log, which lies at `upTo` at least. */
  async function readOn(from: Anchor, upTo: number, until: AbortSignal): Promise<Fold> {
    const fold = foldChain(from, admit);
    const add = (record: LogRecord) => void fold.add(record);
    for (;;) {
      await readAll(log, admit.subjects.logAll, add, until, fold.anchor().seq + 1);
      if (fold.anchor().seq >= upTo) return fold;
      // A replica that lags gave less than there is; or the log is no longer the one that held the position.
      const info = await log.info().catch(() => null);
      if (info !== null && info.lastSeq < upTo)
        throw new LogResetError(`The log ends at ${info.lastSeq}, and held a message at ${upTo}.`);
      await delay(LAG_MS, undefined, { signal: until });
    }
  }

  /**
   * Where no foreign message lies between two events, their indexes are as far apart as their positions, and so is every
   * event in between: the whole batch is good if its last is. Null where that does not hold.
   */
  async function count(fresh: readonly LogRecord[], last: LogRecord): Promise<Verdict | null> {
    const skipped = known.seq - known.chain.index;
    const changes: Change[] = [];
    let index = 0;
    for (const record of fresh) {
      const reading = readRecord(record, admit);
      if (reading.status !== "event") return null;
      index = reading.envelope.index;
      if (record.seq - index !== skipped) return null;
      const change = changeOf(reading, record.seq);
      if (change !== null) changes.push(change);
    }
    if (!(await isLinked(log, last, known, admit))) return null;
    const head = chainHash(admit.primitives, last.subject, last.payload);
    known = { seq: last.seq, chain: { index, head }, sure: false, foreign: known.foreign };
    return { changes, afresh: false, seq: lastNow };
  }

  function settle(fold: Fold, afresh: boolean): Verdict {
    const foreign = afresh ? new Set<number>() : known.foreign;
    for (const seq of fold.foreign) foreign.add(seq);
    known = { ...fold.anchor(), sure: afresh || known.sure, foreign };
    lastNow = Math.max(lastNow, fold.lastNow());
    if (afresh) onDoubt();
    tell(fold);
    return { changes: fold.changes(), afresh, seq: lastNow };
  }

  /** Tells once of each message of `now` that is not applied; of the last ones only where there are very many. */
  function tell({ foreignNow, notices }: Fold) {
    const isNews = (seq: number) => seq > toldUpTo;
    for (const notice of notices.foreign)
      if (isNews(notice.seq)) logger.error({ ...notice }, "a message of the log was skipped");
    for (const notice of notices.newer)
      if (isNews(notice.seq)) logger.warn({ ...notice }, "an event of a later release is not applied");
    for (const seq of foreignNow) if (isNews(seq)) onRejected();
    toldUpTo = known.seq;
  }

  async function isEvent(record: LogRecord, until: AbortSignal): Promise<boolean> {
    const from = known;
    if (record.seq <= from.seq) return !from.foreign.has(record.seq);
    if (record.seq - from.seq <= NEAR) {
      const fold = foldChain(from, admit);
      for (const between of await fetchBetween(log, from.seq, record.seq)) fold.add(between);
      if (fold.add(record).status !== "rejected") return true;
      if (from.sure) return false;
    } else if (await isLinked(log, record, from, admit)) return true;
    const fold = await readOn(from.sure ? from : LOG_START, record.seq, until);
    return !fold.foreign.includes(record.seq);
  }

  return { judge, isEvent };
}
