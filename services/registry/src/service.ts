import { setTimeout as delay } from "node:timers/promises";
import type { EventLog, Logger, RpcEndpoint, Signer } from "@incipit/bus";
import type { Primitives, SignatureCheck, Subjects } from "@incipit/events";
import { DEFAULT_LABEL, ok, refuse, type Result, type StatusReply } from "@incipit/schema";
import { parseTemplate } from "@incipit/templates";
import { createExecute, type Execute } from "./commands/execute.ts";
import { parseCommand, type RequestedCommand } from "./commands/parse-command.ts";
import { describeCommand, describeQuery } from "./describe.ts";
import type { Seed } from "./domain/commands.ts";
import { followLog } from "./follow.ts";
import { memoizeParse } from "./parse-memo.ts";
import { isDamage } from "./projection/database.ts";
import { createStore, NoProjectionError } from "./projection/store.ts";
import { answerQuery } from "./queries/answer-query.ts";
import { queriesOn } from "./queries/queries.ts";
import { statusOf } from "./queries/status.ts";
import { trackRenderers, type AskRenderers } from "./renderers.ts";
import { readSeeds } from "./seeds/read-seeds.ts";
import { storeSeeds } from "./seeds/store-seeds.ts";
import { observeProjection, traceApplied } from "./telemetry.ts";
import { within } from "./within.ts";

/** What a registry needs of the world. */
export type RegistryPorts = {
  log: EventLog;
  subjects: Subjects;
  primitives: Primitives;
  logger: Logger;
  /** A new UUIDv7. */
  newId: () => string;
  /** Now, ISO-8601 UTC with milliseconds. */
  now: () => string;
  /** Signs what is appended. */
  sign?: Signer;
  /** Checks what is read; an event without a good signature is rejected. */
  checkSignature?: SignatureCheck;
  /** The bus's server, for `status`. */
  server: () => StatusReply["server"];
  /** Asks the renderers how far they are, for commands that wait for them. */
  askRenderers: AskRenderers;
  /** What this instance is called, for `status`. */
  instance: () => string;
};

/** How a registry is set up. */
export type RegistryOptions = {
  /** The SQLite file, or `":memory:"`. */
  db: string;
  /** Folders of seeds; a later one wins per key. */
  seeds?: readonly string[];
  /** The public keys behind `checkSignature`: other keys admit other events, so that a change of them rebuilds. */
  verifyKeys?: readonly string[];
  /** Milliseconds a command may take, and may wait for the log. Default 5,000. */
  patienceMs?: number;
};

/** A running registry. */
export type Registry = {
  /** What it answers on the bus. */
  endpoints: readonly RpcEndpoint[];
  /** Whether what it knows is all there is, and how far it is. */
  readiness: () => { ready: boolean; detail: { seq: number; live: boolean } };
  /** Lets no request wait for renderers any longer: a stop is near. */
  endWaits: () => void;
  stop: () => Promise<void>;
};

/** Milliseconds after which seeds that could not be stored for an outage are tried again. */
const SEED_RETRY_MS = 10_000;
/** Milliseconds that `status` waits for the log's end; without it the lag is what was last heard of. */
const STATUS_WAIT_MS = 1_000;

/**
 * Starts a registry: opens its projection, catches up with the log, stores the seeds that differ. Resolves once it can
 * answer. A file that another process holds is an exception; a log out of reach is waited for, until `signal` aborts.
 */
export async function startRegistry(
  ports: RegistryPorts,
  options: RegistryOptions,
  signal?: AbortSignal,
): Promise<Registry> {
  const { log, subjects, primitives, logger, checkSignature } = ports;
  const parse = memoizeParse(parseTemplate, primitives);
  const admission = { primitives, subjects, ...(checkSignature && { checkSignature }) };
  const store = createStore(options.db, { admission, parse }, logger);
  const logTemplate = `${subjects.prefix}.log`;
  const following = followLog({
    log,
    store,
    filter: subjects.logAll,
    admission: [subjects.prefix, ...(options.verifyKeys ?? []).toSorted()].join(" "),
    primitives,
    logger,
    onApplied: (applied, { live, startedAt }) => {
      if (live) traceApplied(logTemplate, applied, startedAt);
    },
  });
  const settle = createExecute({
    ...ports,
    store,
    following,
    parse,
    ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
  });
  const execute: Execute = (command) => unlessDamaged(() => settle(command));
  const renderers = trackRenderers(ports.askRenderers, logger);
  const stopping = new AbortController();
  const unobserve = observeProjection({
    lag: following.pending,
    rejected: () => (following.isLive() ? queriesOn(store.current()).rejectedCount() : 0),
  });

  /** Damage of the file may show with any request: it is then rebuilt, and until that is done there are no answers. */
  async function unlessDamaged<T>(answer: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await answer();
    } catch (error) {
      if (isDamage(error)) following.damaged(error);
      else if (!(error instanceof NoProjectionError)) throw error;
      return refuse(
        "unavailable",
        "This instance is making its projection anew from the log. Send the request again.",
      );
    }
  }

  async function stop() {
    stopping.abort();
    renderers.stop();
    unobserve();
    await following.stop();
    store.close();
  }

  async function status(): Promise<StatusReply> {
    const counted = queriesOn(store.current()).counts();
    const checkpoint = store.current().checkpoint();
    const lag = await within(STATUS_WAIT_MS, log.info(), "asking for the end of the log").then(
      ({ lastSeq }) => Math.max(0, lastSeq - checkpoint.seq),
      () => following.pending(),
    );
    return statusOf({ instance: ports.instance(), lag, server: ports.server() }, checkpoint, counted);
  }

  /** Stores the seeds; what an outage keeps from being stored is tried again in the background. */
  async function seed(seeds: readonly Seed[]): Promise<void> {
    const { waiting, ...outcome } = await storeSeeds(seeds, execute, logger);
    logger.info({ ...outcome, waiting: waiting.length }, "the seeds are dealt with");
    if (waiting.length === 0) return;
    void delay(SEED_RETRY_MS, undefined, { signal: stopping.signal, ref: false })
      .then(() => seed(waiting))
      .catch((err: unknown) => {
        if (!stopping.signal.aborted) logger.error({ err }, "storing the seeds failed");
      });
  }

  /** Renderers follow moves and no versions: what they have to have is the last move that a command's reply covers. */
  function lastMove(command: RequestedCommand, seq: number): number {
    if (command.type === "publish" || !store.isOpen()) return seq;
    const label = (command.type === "add" ? command.activate : command.label) ?? DEFAULT_LABEL;
    const moves = queriesOn(store.current()).activations(command.key, { label, before: seq + 1, limit: 1 });
    return moves.ok ? (moves.value.items[0]?.seq ?? 0) : 0;
  }

  try {
    await Promise.race([following.ready, aborted(signal)]);
    const seeds = await readSeeds(options.seeds ?? [], primitives, logger);
    if (seeds.length > 0) await Promise.race([seed(seeds), aborted(signal)]);
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    endpoints: [
      {
        name: "command",
        subject: subjects.commandAll,
        template: `${subjects.prefix}.cmd`,
        handler: async ({ subject, body }) => {
          const request = parseCommand(subject, body, ports);
          if (!request.ok) return request;
          const { command, wait } = request.value;
          const result = await execute(command);
          // Behind the queue of commands: the next one is settled meanwhile.
          return result.ok && wait !== null
            ? ok({
                ...result.value,
                renderers: await renderers.awaitApplied(lastMove(command, result.value.seq), wait),
              })
            : result;
        },
        describe: describeCommand(subjects),
      },
      {
        name: "query",
        subject: subjects.queryAll,
        template: `${subjects.prefix}.query`,
        handler: ({ subject, body }) =>
          unlessDamaged(() => answerQuery(subject, body, { subjects, store, parse, status })),
        describe: describeQuery(subjects),
      },
    ],
    endWaits: renderers.stop,
    readiness: () => ({ ready: following.isLive(), detail: { seq: store.seq(), live: following.isLive() } }),
    stop,
  };
}

/** Rejects when the start is given up; never resolves. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(new Error("the start was given up"));
    signal?.addEventListener("abort", () => reject(new Error("the start was given up")), { once: true });
  });
}
