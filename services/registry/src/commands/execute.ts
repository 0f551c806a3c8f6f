import { setTimeout as delay } from "node:timers/promises";
import { ok, refuse, type Problem, type Result } from "@incipit/schema";
import type { Command, ReplyOf } from "../domain/commands.ts";
import { decide } from "../domain/decide.ts";
import { within } from "../within.ts";
import { append, type AppendDeps } from "./append.ts";

/** How commands are executed. */
export type ExecuteDeps = AppendDeps & {
  /** Milliseconds a command may take, and may wait for the log. Default 5,000. */
  patienceMs?: number;
};

/** Executes a command: decides it, appends what it says, and answers once this instance's own projection shows it. */
export type Execute = <C extends Command>(command: C) => Promise<Result<ReplyOf<C>>>;

/** The longest pause after a lost race, and after the log was out of reach, in milliseconds. */
const RACE_PAUSE_MS = 20;
const OUTAGE_PAUSE_MS = 250;

/** What to do after an answer that leaves open what was done. */
const SEND_AGAIN =
  "Sent again with the same commandId it is never done twice, and gets its reply. If it had none, look whether it is done before " +
  "you send it again.";

/** Commands of one instance are executed one at a time; what other instances append meanwhile is a lost race. */
export function createExecute(deps: ExecuteDeps): Execute {
  let last: Promise<unknown> = Promise.resolve();
  return (command) => {
    const arrivedAt = performance.now();
    const run = last.then(() => execute(command, arrivedAt, deps));
    last = run.catch(() => {});
    return run;
  };
}

/** What one attempt has come to. */
type Step<R> =
  | { done: Result<R> }
  /** The log holds the command now: only the reply is still to be decided. */
  | "stored"
  /** Somebody else wrote first, or this instance was behind. */
  | "race"
  /** The log did not answer. */
  | "outage";

async function execute<C extends Command>(
  command: C,
  arrivedAt: number,
  deps: ExecuteDeps,
): Promise<Result<ReplyOf<C>>> {
  const { following, patienceMs = 5_000 } = deps;
  const startedAt = performance.now();
  const leftFrom = (since: number) => Math.max(0, since + patienceMs - performance.now());
  for (let attempt = 1; leftFrom(startedAt) > 0; attempt++) {
    // Whoever has waited in the queue for so long is told at once that the log is out of reach.
    if (!(await following.whenLive(leftFrom(arrivedAt)))) break;
    // What is thrown here is a bug: it goes to the caller at once, and nothing is tried again.
    const step = await attemptOnce(command, leftFrom(startedAt), deps);
    if (typeof step === "object") return step.done;
    if (step === "race") await delay(Math.random() * Math.min(RACE_PAUSE_MS, attempt * 2));
    if (step === "outage") await delay(Math.random() * OUTAGE_PAUSE_MS);
  }
  return refuseUnavailable(
    command,
    `The log is out of reach or too busy, so that it is not known whether the command is done. ${SEND_AGAIN}`,
  );
}

async function attemptOnce<C extends Command>(
  command: C,
  timeoutMs: number,
  deps: ExecuteDeps,
): Promise<Step<ReplyOf<C>>> {
  const { store, logger } = deps;
  const decided = decideNow(command, deps);
  if ("newer" in decided) return { done: decided.newer };
  const { decision, chain, ...position } = decided;
  // What a command is refused for, and what it is told without having appended, holds only at the log's end.
  if (!decision.ok) return ifAtEnd(position, decision, timeoutMs, deps);
  const { value } = decision;
  if (value.type === "reply") {
    const reply = ok(value.reply);
    return value.settled ? { done: reply } : ifAtEnd(position, reply, timeoutMs, deps);
  }

  const { events } = value;
  const sent = await append({ command, events, chain, expectedLastSeq: position.seq, timeoutMs }, deps);
  if (!sent.ok) return { done: sent };
  const outcome = sent.value;
  if (outcome.outcome === "appended") {
    const lastSeq = outcome.seqs.at(-1) ?? 0;
    if (await store.reached(lastSeq, timeoutMs))
      return checkAccepted(outcome.seqs, position, timeoutMs, deps);
    const message = `The command is done, at position ${lastSeq}, but this instance has not caught up with it in time. ${SEND_AGAIN}`;
    return { done: refuseUnavailable(command, message) };
  }
  if (outcome.outcome === "unknown")
    logger.warn(
      { err: outcome.cause, key: command.key },
      "no acknowledgement of an append; the log will tell",
    );
  const lastSeq = await endOfLog(position, timeoutMs, deps);
  if (lastSeq !== null) await store.reached(lastSeq, timeoutMs);
  return outcome.outcome === "conflict" ? "race" : "outage";
}

/** Where on which log a command was decided: a stream that was made anew has the same positions. */
type DecidedAt = { seq: number; created: string };

function decideNow<C extends Command>(command: C, { store, parse }: ExecuteDeps) {
  const projection = store.current();
  const { newer, seq, created, chain } = projection.checkpoint();
  if (newer !== null) return { newer: refuseNewer(command, newer) };
  return { decision: decide(projection.loadFacts(command), command, parse), chain, seq, created };
}

/** A result that holds only if a position is the end of the log. Where it is not, waits until the projection has caught up. */
async function ifAtEnd<R>(
  position: DecidedAt,
  result: Result<R>,
  timeoutMs: number,
  deps: ExecuteDeps,
): Promise<Step<R>> {
  const lastSeq = await endOfLog(position, timeoutMs, deps);
  if (lastSeq === null) return "outage";
  if (lastSeq <= position.seq) return { done: result };
  await deps.store.reached(lastSeq, timeoutMs);
  return "race";
}

/** The end of the log, as its server says; null where it does not say, or where it is no longer the log decided on. */
async function endOfLog(
  decidedAt: DecidedAt,
  timeoutMs: number,
  { log, logger }: ExecuteDeps,
): Promise<number | null> {
  try {
    const { created, lastSeq } = await within(timeoutMs, log.info(), "asking for the end of the log");
    if (created === decidedAt.created) return lastSeq;
    logger.warn({ created }, "the log was made anew; the command is decided again once it is followed");
    return null;
  } catch (err) {
    logger.warn({ err }, "the log does not say where it ends; the command is decided again");
    return null;
  }
}

/** An event of our own that our own projection skips would be appended again and again: that must stop at once. */
async function checkAccepted(
  seqs: readonly number[],
  decidedAt: DecidedAt,
  timeoutMs: number,
  deps: ExecuteDeps,
): Promise<"stored" | "outage"> {
  for (const seq of seqs) {
    const reason = deps.store.current().rejectionAt(seq);
    if (reason === null) continue;
    // A log that was made anew, with as many messages, before this instance noticed: it is decided again on that one.
    if ((await endOfLog(decidedAt, timeoutMs, deps)) === null) return "outage";
    throw new Error(`the event appended at ${seq} was rejected by this registry's own projection: ${reason}`);
  }
  return "stored";
}

type Refusal = { ok: false; problem: Problem };

function refuseUnavailable({ key }: Command, message: string): Refusal {
  return refuse("unavailable", message, { key });
}

function refuseNewer(command: Command, { seq, type, v }: { seq: number; type: string; v: number }): Refusal {
  return refuseUnavailable(
    command,
    `The log holds an event of a later release at ${seq} (${type} v${v}). Commands are refused until this registry is ` +
      "upgraded; queries go on.",
  );
}
