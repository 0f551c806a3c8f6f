import { type Contract, createValidator, type JsonObject, type Problem } from "@incipit/schema";
import type { Found } from "../check/checker.ts";
import type { LinkedTemplate } from "../link-template.ts";
import { renderWithin, type StepBudget } from "../render.ts";
import { partsOf } from "./json-object.ts";

/** Renders with a context; the refusal, or null where it renders, meets a limit, or is no context of the contract. */
export type Attempt = (context: JsonObject) => Problem | null;

/** Steps of one attempt. */
const STEPS = 20_000;
/** Characters of a contract's document, and parts of a context, whose judging takes as long as a step. */
const CHARACTERS_A_STEP = 50;
const PARTS_A_STEP = 10;

/** Renders as a renderer would, within a budget of steps for all findings together; gives null once it is used up. */
export function createAttempt(
  linked: LinkedTemplate,
  contract: Contract,
  steps: number,
): { attempt: Attempt; isSpent: () => boolean } {
  const validate = createValidator(contract);
  const judging = 1 + JSON.stringify(contract.document).length / CHARACTERS_A_STEP;
  const budget: StepBudget = { left: steps };
  return {
    isSpent: () => budget.left <= 0,
    attempt(context) {
      if (budget.left <= 0) return null;
      budget.left -= judging + partsOf(context) / PARTS_A_STEP;
      const valid = validate(context);
      if (!valid.ok) return null;
      const rendered = renderWithin(linked, valid.value, STEPS, budget);
      if (rendered.ok || rendered.problem.code === "limit_exceeded") return null;
      return rendered.problem;
    },
  };
}

/** Whether a render failed just where a finding says. */
export function failsAt({ finding, goal }: Found, problem: Problem): boolean {
  const { line, column } = goal?.failsAt ?? finding;
  return problem.line === line && problem.column === column && problem.partial === finding.partial;
}
