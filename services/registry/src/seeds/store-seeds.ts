import type { Logger } from "@incipit/bus";
import type { Problem } from "@incipit/schema";
import type { Execute } from "../commands/execute.ts";
import type { Seed } from "../domain/commands.ts";

/**
 * What has become of a set of seeds. `settled`: the log holds them, stored now or before; `skipped`: refused; `waiting`: the log
 * was out of reach, so they are to be tried again.
 */
export type SeedOutcome = { settled: number; skipped: number; waiting: Seed[] };

/**
 * Stores the seeds that differ from what the log holds. One that includes another may come before it; so what is refused is
 * tried again for as long as others get through. What is refused in the end is logged and skipped. Once the log is out of
 * reach the rest waits too: each would only take as long to be told so.
 */
export async function storeSeeds(
  seeds: readonly Seed[],
  execute: Execute,
  logger: Logger,
): Promise<SeedOutcome> {
  let settled = 0;
  let skipped = 0;
  // Partials first: most seeds then need no second try.
  let open = seeds.toSorted(
    (a, b) => Number(b.settings.kind === "partial") - Number(a.settings.kind === "partial"),
  );
  for (let progress = true; progress && open.length > 0;) {
    progress = false;
    const refused: { seed: Seed; problem: Problem }[] = [];
    for (const [at, seed] of open.entries()) {
      const result = await execute(seed);
      if (result.ok) {
        progress = true;
        settled++;
      } else if (result.problem.code === "unavailable") {
        const refusedSoFar = refused.map((one) => one.seed);
        return { settled, skipped, waiting: [...refusedSoFar, ...open.slice(at)] };
      } else refused.push({ seed, problem: result.problem });
    }
    open = refused.map(({ seed }) => seed);
    if (progress) continue;
    for (const { seed, problem } of refused) {
      skipped++;
      logger.error({ key: seed.key, problem }, "a seed is skipped: it was refused");
    }
  }
  return { settled, skipped, waiting: [] };
}
