import { type Contract, createValidator, type JsonObject, type Problem } from "@incipit/schema";
import type { Found } from "../check/checker.ts";
import type { LinkedTemplate } from "../link-template.ts";
import { renderWithin } from "../render.ts";

/** Renders with a context; the refusal, or null where it renders, meets a limit, or is no context of the contract. */
export type Attempt = (context: JsonObject) => Problem | null;

/** Steps of one attempt. */
const STEPS = 20_000;

/** Renders as a renderer would, within a budget of attempts for all findings together; null once it is used up. */
export function createAttempt(
  linked: LinkedTemplate,
  contract: Contract,
  budget: number,
): { attempt: Attempt; left: () => number } {
  const validate = createValidator(contract);
  let left = budget;
  return {
    left: () => left,
    attempt(context) {
      if (left <= 0) return null;
      left--;
      const valid = validate(context);
      if (!valid.ok) return null;
      const rendered = renderWithin(linked, valid.value, STEPS);
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
