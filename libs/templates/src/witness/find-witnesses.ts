import {
  type Contract,
  createValidator,
  type Finding,
  type JsonObject,
  type Problem,
  type Reads,
  type Witness,
} from "@incipit/schema";
import type { Found } from "../check/checker.ts";
import { typeOfShape } from "../check/types.ts";
import type { LinkedTemplate } from "../link-template.ts";
import type { Unit } from "../run-state.ts";
import { createAttempt, failsAt } from "./attempt.ts";
import { constructContexts } from "./construct.ts";
import { constantsOf, createRandom, sample } from "./sample.ts";
import { isObject } from "./json-object.ts";
import { shrink } from "./shrink.ts";
import { newRoom, smallestOf } from "./smallest.ts";

/** Findings that a witness is looked for: those that a person reads first. */
const MOST_FINDINGS = 20;
/** Steps of all renders of one search, half a microsecond each at most: it takes no clock to end in time. */
const STEPS = 500_000;
/** Contexts tried at random for one finding. */
const SAMPLES = 300;
/** Characters of a context as JSON: a larger one explains nothing. */
const LONGEST_CONTEXT = 8_000;

/**
 * Looks for the smallest context that makes the template fail where each finding says, by making one from what was known
 * there, else by trying; whatever is found was rendered with. Where none was found that fails just there, it is one that
 * leads there and fails earlier. A finding for which none was found gets null; one that stands where no context
 * leads, or behind the first `MOST_FINDINGS`, gets none at all.
 */
export function findWitnesses(
  linked: LinkedTemplate,
  contract: Contract,
  found: readonly Found[],
  reads: Reads,
): Finding[] {
  const { attempt, isSpent } = createAttempt(linked, contract, STEPS);
  const smallest = smallestOf(contract);
  const type = typeOfShape(contract.root);
  const sampler = {
    random: createRandom(1),
    constants: constantsOf(bodiesOf(linked.root)),
    smallest,
  };
  const witnesses = new Map<Found, Witness>();
  /** Contexts that lead to a finding, and fail before they get there. */
  const others = new Map<Found, Witness>();
  const open = found.slice(0, MOST_FINDINGS);

  /** Tries a context, and keeps it for whichever finding it shows. */
  function tryContext(context: JsonObject, meant?: Found): void {
    const problem = attempt(context);
    if (problem === null) return;
    if (meant !== undefined && !others.has(meant)) others.set(meant, witnessOf(contract, context, problem));
    for (const one of open) {
      if (witnesses.has(one) || !failsAt(one, problem)) continue;
      witnesses.set(one, shrunk(one, context, problem));
    }
  }

  function shrunk(one: Found, context: JsonObject, problem: Problem): Witness {
    let last = problem;
    const stillFails = (smaller: JsonObject) => {
      const next = attempt(smaller);
      if (next === null || !failsAt(one, next)) return false;
      last = next;
      return true;
    };
    const small = shrink(context, contract.root, smallest, stillFails, isSpent);
    return witnessOf(contract, small, last);
  }

  for (const one of open) {
    const { goal } = one;
    if (goal === null || witnesses.has(one)) continue;
    for (const context of constructContexts(goal, type, smallest)) tryContext(context, one);
    // One that fails before it gets there is an answer too: the rest of the budget is for those that have none.
    const samples = others.has(one) ? SAMPLES / 10 : SAMPLES;
    for (let i = 0; i < samples && !witnesses.has(one) && !isSpent(); i++) {
      const context = sample(sampler, contract.root, reads, newRoom());
      if (isObject(context)) tryContext(context);
    }
  }
  // None is said to have been looked for where nobody did.
  const isOpen = new Set(open.filter(({ goal }) => goal !== null));
  return found.map((one) =>
    isOpen.has(one) || witnesses.has(one)
      ? { ...one.finding, witness: fit(witnesses.get(one) ?? others.get(one)) }
      : one.finding,
  );
}

function fit(witness: Witness | undefined): Witness | null {
  return witness === undefined || JSON.stringify(witness.context).length > LONGEST_CONTEXT ? null : witness;
}

function witnessOf(contract: Contract, context: JsonObject, problem: Problem): Witness {
  const { code, message, line, column, partial } = problem;
  const variant = variantOf(contract, context);
  return {
    context,
    ...(variant === null ? {} : { variant }),
    fails: {
      code,
      message,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      ...(partial === undefined ? {} : { partial }),
    },
  };
}

/** The variant a context belongs to: the first that takes it, and lists all that is in it. */
function variantOf(contract: Contract, context: JsonObject): string | null {
  const { variants } = contract;
  if (variants.length < 2) return null;
  const fields = Object.keys(context);
  const fits = variants.filter(
    (variant) =>
      fields.every((field) => variant.fields.has(field)) &&
      createValidator({ ...contract, root: variant, variants: [variant] })(context).ok,
  );
  return fits[0]?.title ?? null;
}

/** The bodies of a template and of all it includes, each once. */
function bodiesOf(root: Unit): Unit["parsed"]["body"][] {
  const units = new Set<Unit>([root]);
  for (const unit of units) for (const target of unit.targets) units.add(target);
  return [...units].map(({ parsed }) => parsed.body);
}
