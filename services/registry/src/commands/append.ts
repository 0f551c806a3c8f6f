import type { AppendOutcome, EventLog, Logger } from "@incipit/bus";
import type { ChainState, PromptEvent } from "@incipit/events";
import { LIMITS, ok, refuse, type Result } from "@incipit/schema";
import type { Command } from "../domain/commands.ts";
import type { Parse } from "../domain/language.ts";
import type { Following } from "../follow.ts";
import type { Store } from "../projection/store.ts";
import { within } from "../within.ts";
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

/** Appends events, only right behind the position they were decided at. Too large for the bus: `too_large`. */
export async function append(
  { command, events, chain, expectedLastSeq, timeoutMs }: Appending,
  deps: AppendDeps,
): Promise<Result<AppendOutcome>> {
  return withAppendSpan(`${deps.subjects.prefix}.log`, events, async (trace) => {
    const messages = sealEvents(events, command, chain, { at: deps.now(), trace }, deps);
    const largest = Math.max(...messages.map(({ payload }) => payload.byteLength));
    if (largest > LIMITS.envelopeBytes)
      return refuse(
        "too_large",
        `The template takes ${largest} bytes in the log, the limit is ${LIMITS.envelopeBytes}. Characters that JSON has to ` +
          "escape take up to six.",
        { key: command.key },
      );
    try {
      return ok(await within(timeoutMs, deps.log.append(messages, expectedLastSeq), "the append"));
    } catch (cause) {
      return ok({ outcome: "unknown", cause });
    }
  });
}
