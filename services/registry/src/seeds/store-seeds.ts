import type { Logger } from "@incipit/bus";
import type { Problem } from "@incipit/schema";
import type { Execute } from "../commands/execute.ts";
import type { Seed } from "../domain/commands.ts";

/** What has become of a set of seeds. `waiting`: the log was out of reach, so they are to be tried again. */
export type SeedOutcome = { stored: number; unchanged: number; skipped: number; waiting: Seed[] };

/**
 * Stores the seeds that differ from what the log holds. One that includes another may come before it; so what is refused is
 * tried again for as long as others get through. What is refused in the end is logged and skipped.
 */
export async function storeSeeds(
  seeds: readonly Seed[],
  execute: Execute,
  logger: Logger,
): Promise<SeedOutcome> {
  const outcome: SeedOutcome = { stored: 0, unchanged: 0, skipped: 0, waiting: [] };
  // Partials first: most seeds then need no second try.
  let open = seeds.toSorted(
    (a, b) => Number(b.settings.kind === "partial") - Number(a.settings.kind === "partial"),
  );
  for (let progress = true; progress && open.length > 0;) {
    progress = false;
    const refused: { seed: Seed; problem: Problem }[] = [];
    for (const seed of open) {
      const result = await execute(seed);
      if (result.ok) {
        progress = true;
        if (result.value.changed) outcome.stored++;
        else outcome.unchanged++;
      } else refused.push({ seed, problem: result.problem });
    }
    open = refused.map(({ seed }) => seed);
    if (progress && open.length > 0) continue;
    for (const { seed, problem } of refused) {
      if (problem.code === "unavailable") outcome.waiting.push(seed);
      else {
        outcome.skipped++;
        logger.error({ key: seed.key, problem }, "a seed is skipped: it was refused");
      }
    }
  }
  return outcome;
}
