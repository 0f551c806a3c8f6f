import { LIMITS } from "../limits.ts";
import { ok, refuse, type Result } from "../problem.ts";
import type { Json, JsonObject } from "../template.ts";
import { createRun, MOST_FAULTS } from "./check-run.ts";
import { createCompiler } from "./compile-check.ts";
import type { Contract, Shape } from "./contract.ts";
import { type Fault, refuseFaults } from "./fault-list.ts";
import { type Reads, READS_ALL } from "./reads.ts";

/**
 * Builds what judges contexts against a contract, as far as `reads` says that a template can look; all of it unless said
 * otherwise. It gives a copy with only what can be read, defaults filled in, fields in the contract's order; or
 * `bad_context` with every fault, `path` being the first one's; or `limit_exceeded` over `LIMITS.contextChecks`. The copy
 * knows which of its missing fields may be missing (`mayBeAbsent`). Build it once for a contract and a template, and keep
 * it: what checks a part of the contract is built when a context first has that part.
 */
export function createValidator(
  contract: Contract,
  reads: Reads = READS_ALL,
): (context: JsonObject) => Result<JsonObject> {
  const check = createCompiler()(contract.root, reads);
  const sentence = `The context does not fit the contract ${contract.name}.`;
  return (context) => {
    const run = createRun();
    const value = check(context, run);
    if (run.left < 0) return refuseSize(contract.name);
    if (run.faults.length === 0) return ok(value as JsonObject);
    return refuseFaults("bad_context", sentence, run.faults, run.faults.length < MOST_FAULTS);
  };
}

/** What a shape makes of a value, and what of it does not fit. */
export type Judge = (shape: Shape, value: Json) => { copy: Json; faults: readonly Fault[] };

/** Judges several values, within the looks that one context may take for all of them. */
export function createJudge(): Judge {
  const compile = createCompiler();
  let { left } = createRun();
  return (shape, value) => {
    const run = { ...createRun(), left };
    const copy = compile(shape, READS_ALL)(value, run);
    ({ left } = run);
    return { copy, faults: left >= 0 ? run.faults : [{ path: "", message: "takes too long to judge" }] };
  };
}

function refuseSize(name: string): Result<never> {
  const limit = `${LIMITS.contextChecks} looks (limit "contextChecks")`;
  const message = `Judging the context against the contract ${name} takes more than ${limit}: send shorter lists.`;
  return refuse("limit_exceeded", message);
}
