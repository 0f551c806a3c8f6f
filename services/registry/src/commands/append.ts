import type { AppendOutcome, EventLog, Logger } from "@incipit/bus";
import type { ChainState, PromptEvent } from "@incipit/events";
import { LIMITS, ok, refuse, type Result } from "@incipit/schema";
import type { Command } from "../domain/commands.ts";
import type { Parse } from "../domain/language.ts";
import type { Following } from "../follow.ts";
import type { Store } from "../projection/store.ts";
import { LateError, within } from "../within.ts";
import { withAppendSpan } from "./append-span.ts";
import { sealEvents, type EnvelopeDeps } from "./envelopes.ts";

/** What deciding and appending takes. */
export type AppendDeps = EnvelopeDeps & {
  log: EventLog;
  store: Store;
  following: Following;
  parse: Parse;
  logger: Logger;
  /** Now, ISO-8601 UTC. */
  now: () => string;
};

/** Events to append, and where on the log they were decided. */
export type Appending = {
  command: Command;
  events: readonly PromptEvent[];
  chain: ChainState;
  expectedLastSeq: number;
  timeoutMs: number;
};

/** What became of them, where the log could take them. */
export type Appended = Exclude<AppendOutcome, { outcome: "tooLarge" }>;

/** Appends events, only right behind the position they were decided at. More than the log takes: `too_large`. */
export async function append(
  { command, events, chain, expectedLastSeq, timeoutMs }: Appending,
  deps: AppendDeps,
): Promise<Result<Appended>> {
  return withAppendSpan(`${deps.subjects.prefix}.log`, events, async (trace) => {
    const messages = sealEvents(events, command, chain, { at: deps.now(), trace }, deps);
    const largest = Math.max(...messages.map(({ payload }) => payload.byteLength));
    if (largest > LIMITS.envelopeBytes) return refuseTooLarge(command, largest, LIMITS.envelopeBytes);
    const appending = deps.log.append(messages, expectedLastSeq);
    const outcome = await within(timeoutMs, appending, "the append").catch((cause: unknown) => {
      if (cause instanceof LateError) return { outcome: "unknown" as const, cause };
      throw cause;
    });
    return outcome.outcome === "tooLarge"
      ? refuseTooLarge(command, outcome.bytes, outcome.limit)
      : ok(outcome);
  });
}

function refuseTooLarge({ key }: Command, bytes: number, limit: number) {
  const message = `The template takes ${bytes} bytes in the log, the limit is ${limit}. Characters that JSON has to escape take up to six.`;
  return refuse("too_large", message, { key });
}
