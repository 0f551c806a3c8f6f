import { setTimeout as delay } from "node:timers/promises";
import type { Logger, ServiceStats } from "@incipit/bus";
import type { RenderersReply } from "@incipit/schema";
import { z } from "zod";

/** What a renderer says of itself: the position of the last message it has applied, of those that renderers follow. */
export type RendererState = { id: string; applied: number };

/** Asks all renderers, and gives what has come within a while; stops waiting once so many have answered. */
export type AskRenderers = (options: { waitMs: number; expected?: number }) => Promise<RendererState[]>;

/** The renderers, as far as this registry knows. */
export type Renderers = {
  /** Waits until all that are known have applied a position, at most so many milliseconds, and says how many have. */
  awaitApplied: (seq: number, waitMs: number) => Promise<RenderersReply>;
  /** Ends every wait at once, with what is known. */
  stop: () => void;
};

const stateSchema = z.object({ applied: z.int().min(0) });

/** Reads what services tell of themselves: of those that answer renders on the subject, how far each is. */
export function readStates(stats: readonly ServiceStats[], renderSubject: string): RendererState[] {
  return stats.flatMap(({ id, endpoints }) => {
    // Renderers of another prefix follow another log.
    const endpoint = endpoints.find(({ subject }) => subject === renderSubject);
    const state = stateSchema.safeParse(endpoint?.data);
    return state.success ? [{ id, applied: state.data.applied }] : [];
  });
}

/** How often to ask who is there, and after what silence to forget one, in milliseconds: what hangs or died is known so long. */
const REFRESH_MS = 5_000;
const FORGET_MS = 15_000;
/** The longest to listen for one round of answers, and the pauses between rounds, which grow, in milliseconds. */
const ROUND_MS = 250;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Begins to keep track of the renderers. They are asked now and then, so that one which died or hangs just before an
 * activation is counted as behind, not left out. An outage while asking is no error: what was known last is said.
 */
export function trackRenderers(ask: AskRenderers, logger: Logger): Renderers {
  const stopping = new AbortController();
  const known = new Map<string, { applied: number; seenAt: number }>();

  async function round(options: Parameters<AskRenderers>[0]) {
    try {
      for (const { id, applied } of await ask(options)) known.set(id, { applied, seenAt: performance.now() });
    } catch (err) {
      if (!stopping.signal.aborted) logger.warn({ err }, "the renderers could not be asked how far they are");
    }
    for (const [id, { seenAt }] of known) if (performance.now() - seenAt > FORGET_MS) known.delete(id);
  }

  /** Resolves after a while, or at once when everything ends. */
  const pause = (ms: number, ref = true) =>
    delay(ms, undefined, { signal: stopping.signal, ref }).catch(() => {});

  async function refresh() {
    while (!stopping.signal.aborted) {
      await round({ waitMs: ROUND_MS });
      await pause(REFRESH_MS, false);
    }
  }
  void refresh();

  function standing(seq: number): RenderersReply {
    const behind = [...known].filter(([, { applied }]) => applied < seq).map(([id]) => id);
    return { applied: known.size - behind.length, known: known.size, behind: behind.toSorted() };
  }

  return {
    async awaitApplied(seq, waitMs) {
      const endsAt = performance.now() + waitMs;
      for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        const left = () => Math.max(0, endsAt - performance.now());
        // Who is known is waited for; while nobody is, whoever may answer.
        const expected = known.size === 0 ? {} : { expected: known.size };
        await round({ waitMs: Math.max(1, Math.min(ROUND_MS, left())), ...expected });
        const now = standing(seq);
        if (now.behind.length === 0 || left() === 0 || stopping.signal.aborted) return now;
        await pause(Math.min(pauseMs, left()));
      }
    },
    stop: () => stopping.abort(),
  };
}
