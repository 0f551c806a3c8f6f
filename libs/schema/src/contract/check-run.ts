import { LIMITS } from "../limits.ts";
import type { Json } from "../template.ts";
import { formatPath } from "../zod-problem.ts";
import type { Fault } from "./fault-list.ts";

/** One run over a context: where it is, and what does not fit. */
export type Run = {
  readonly path: (string | number)[];
  faults: Fault[];
  /** Looks that are left of `LIMITS.contextChecks`; below 0 the run says nothing about the context. */
  left: number;
  /** What the members of unions have been asked already, so that no value is judged twice for each union around it. */
  readonly judged: Map<Check, Map<Json, Judged>>;
};

/**
 * What a union made of a value, at a place so many levels deep. Its faults hold for that place; its copy for all that are no
 * deeper: a default may stand at several.
 */
export type Judged = {
  readonly copy: Json;
  readonly faults: readonly Fault[];
  readonly place: string;
  readonly depth: number;
};

/** Checks one value, and gives a copy of what the template can read of it. What it gives is unused where there are faults. */
export type Check = (value: Json, run: Run) => Json;

/** Faults that are looked for; a list of a thousand wrong items has as many. */
export const MOST_FAULTS = 100;

/** A run that has looked at nothing yet. */
export function createRun(): Run {
  return { path: [], faults: [], left: LIMITS.contextChecks, judged: new Map() };
}

/** Notes a fault at the place where the run is. */
export function fail(run: Run, message: string): null {
  if (run.faults.length < MOST_FAULTS) run.faults.push({ path: formatPath(run.path), message });
  return null;
}

/** Whether the run may go on into a value: so many looks more, and one level deeper. Where not, it is over or has a fault. */
export function mayEnter(run: Run, looks: number): boolean {
  run.left -= looks;
  if (run.left < 0) return false;
  if (run.path.length < LIMITS.jsonDepth) return true;
  fail(run, `nests deeper than ${LIMITS.jsonDepth} levels`);
  return false;
}
