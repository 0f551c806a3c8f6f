import type { Problem } from "@incipit/schema";
import { EXIT } from "../io.ts";
import { exitCodeOf } from "../problem-text.ts";
import type { ImportFile, ImportPlan } from "./plan.ts";
import { sendAll, type AddFile } from "./send.ts";

/** What would become of one file. */
export type Foreseen = {
  file: ImportFile;
  /** Whether the registry was asked about all of it; else its includes were looked at here alone. */
  isAsked: boolean;
} & ({ outcome: Outcome } | { outcome: "refused"; problem: Problem });

type Outcome = "created" | "activated" | "unchanged";

/** What to ask when foreseeing an import. */
export type Asking = {
  /** Asks the registry about a file without storing it. */
  ask: AddFile;
  /** Compares a file with what is stored, without a check. */
  compare: (file: ImportFile) => Promise<Outcome>;
  /** Versions that are live already, by key. */
  activeBefore: ReadonlyMap<string, number>;
};

/**
 * Foresees what an import would do, and stores nothing. The registry is asked about every file whose partials it knows as
 * they will be. Of the others, which include what would itself be stored or put live first, it is asked about everything
 * but the body. A refusal does not end it, an outage does.
 */
export async function foresee(
  { waves, needs }: Pick<ImportPlan, "waves" | "needs">,
  { ask, compare, activeBefore }: Asking,
): Promise<Foreseen[]> {
  const foreseen: Foreseen[] = [];
  const changing = new Set<string>();
  for (const wave of waves) {
    const isSettled = ({ file }: ImportFile) => !needs.get(file.key)?.some((key) => changing.has(key));
    const asked = await sendAll(wave.filter(isSettled), ask, activeBefore, isOutage);
    const found: Foreseen[] = asked.map((one) =>
      one.outcome === "refused"
        ? { file: one.file, isAsked: true, outcome: one.outcome, problem: one.problem }
        : { file: one.file, isAsked: true, outcome: one.outcome },
    );
    const unsettled = wave.filter((one) => !isSettled(one));
    for (const one of await sendAll(unsettled, (file) => ask(withoutBody(file)), activeBefore, isOutage))
      found.push(
        one.outcome === "refused"
          ? { file: one.file, isAsked: false, outcome: one.outcome, problem: one.problem }
          : { file: one.file, isAsked: false, outcome: await compare(one.file) },
      );
    foreseen.push(...found);
    if (found.some((one) => one.outcome === "refused" && isOutage(one.problem))) break;
    // What includes something that would change may come out otherwise too, whatever becomes of itself.
    for (const { file, outcome, isAsked } of found)
      if (!isAsked || outcome !== "unchanged") changing.add(file.file.key);
  }
  return foreseen;
}

/** The same file with a body that is right in every syntax and includes nothing. */
function withoutBody({ path, file }: ImportFile): ImportFile {
  return { path, file: { ...file, body: "-" } };
}

const isOutage = (problem: Problem) => exitCodeOf(problem) === EXIT.unreachable;
