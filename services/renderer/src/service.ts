import { LogResetError, type EventLog, type Logger, type RpcServer, type RpcService } from "@incipit/bus";
import type { AdmitOptions } from "@incipit/events";
import type { RenderReply, Result } from "@incipit/schema";
import { unlessAborted } from "./aborted.ts";
import { createAnswer } from "./answer.ts";
import { describeRender } from "./describe.ts";
import { startGeneration, type Generation } from "./generation.ts";
import { startMeters } from "./telemetry.ts";

/** What a renderer needs. */
export type RendererOptions = {
  log: EventLog;
  /** How messages of the log are read, and the grammar of all subjects. */
  admit: AdmitOptions;
  /** Registers the service once it can answer. */
  serve: (service: RpcService) => Promise<RpcServer>;
  /** Memory for parsed and linked templates, in bytes. */
  cacheBytes: number;
  /** The release, as the service protocol shows it. */
  version: string;
  logger: Logger;
};

/** What a renderer tells of itself, in the service protocol's STATS too: instances can be compared by it. */
export type RendererStats = {
  /** Position of the last pointer event applied. */
  applied: number;
  state: "live" | "stale";
  /** Keys known. */
  keys: number;
  /** Messages of the log skipped since the start. */
  rejected: number;
  cache: { entries: number; bytes: number; maxBytes: number; hits: number; misses: number };
};

/** A running renderer. */
export type Renderer = {
  /** The instance id of the service protocol. */
  instance: string;
  /** Answers one request, as the bus would have it answered. */
  render: (subject: string, body: unknown) => Promise<Result<RenderReply>>;
  stats: () => RendererStats;
  /** Rejects if the renderer cannot go on; never resolves. */
  failed: Promise<never>;
  /** Finishes what is in flight and leaves. */
  stop: () => Promise<void>;
};

/** The name under which renderers register with the service protocol. */
export const SERVICE_NAME = "incipit-renderer";

/** How long requests that wait for the log may hold up a stop, in milliseconds: longer than the usual wait. */
const GRACE_MS = 3_000;

/**
 * Starts a renderer and resolves once it can answer: everything that was pending on the log is applied, and only then is
 * its endpoint registered. Rejects if following fails before that. `signal` gives up the waiting.
 */
export async function createRenderer(options: RendererOptions, signal?: AbortSignal): Promise<Renderer> {
  const { log, admit, serve, cacheBytes, version, logger } = options;
  const { subjects } = admit;
  const stopping = new AbortController();
  const ending = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
  let [rejected, hits, misses] = [0, 0, 0];

  const onRejected = () => {
    rejected++;
    meters.rejected();
  };
  const begin = () => startGeneration({ log, admit, cacheBytes, onRejected, logger });
  const meters = startMeters(() => current.pointers.seq());
  let current = begin();

  const stats = (): RendererStats => ({
    applied: current.pointers.seq(),
    state: current.state(),
    keys: current.pointers.size(),
    rejected,
    cache: { ...current.cache(), hits, misses },
  });
  const answer = createAnswer({
    subjects,
    current: () => current,
    onAnswered({ fromMemory }) {
      if (fromMemory) hits++;
      else misses++;
      meters.cache(fromMemory ? "hit" : "miss");
    },
    logger,
  });

  /** Ends by throwing alone. While another log is read from its start, the old state goes on answering, stale. */
  async function watch(): Promise<never> {
    for (;;) {
      const old = current;
      try {
        await unlessAborted(ending, old.failed);
      } catch (err) {
        if (!(err instanceof LogResetError)) throw err;
        logger.error({ err }, "the log is another one now: everything in memory is rebuilt");
      }
      current = await settle(begin(), begin, ending);
      await old.stop();
      logger.info({ ...stats() }, "the renderer follows the new log");
    }
  }

  current = await settle(current, begin, ending);
  const failed = watch().catch((err: unknown): Promise<never> => {
    if (ending.aborted) return new Promise<never>(() => {});
    throw err;
  });
  failed.catch(() => {});
  const server = await serve({
    name: SERVICE_NAME,
    version,
    description: "Renders prompts from the log of their versions and activations.",
    queue: SERVICE_NAME,
    endpoints: [
      {
        name: "render",
        subject: subjects.renderAll,
        template: `${subjects.prefix}.render`,
        handler: ({ subject, body }) => answer(subject, body),
        describe: (_, result) => describeRender(result),
      },
    ],
    stats,
  });
  return {
    instance: server.instance,
    render: answer,
    stats,
    failed,
    async stop() {
      const grace = setTimeout(() => {
        stopping.abort();
        current.giveUp();
      }, GRACE_MS);
      await server.stop();
      clearTimeout(grace);
      stopping.abort();
      meters.stop();
      await current.stop();
    },
  };
}

/** Waits until a generation is ready; one whose log turns out to be another meanwhile is begun again. */
async function settle(first: Generation, begin: () => Generation, ending: AbortSignal): Promise<Generation> {
  for (let generation = first; ; generation = begin()) {
    try {
      await unlessAborted(ending, generation.ready);
      return generation;
    } catch (err) {
      await generation.stop();
      if (!(err instanceof LogResetError)) throw err;
    }
  }
}
