import { LIMITS, ok, refuse, type Result, utf8Length } from "@incipit/schema";
import type { LinkedTemplate } from "./link-template.ts";
import { createFrame, Halt, OUTPUT_MESSAGE, type State } from "./run-state.ts";

/** What a render gives: the text, and where in it (UTF-16 units) the cache breakpoint stands, if there is one. */
export type RenderedText = { readonly text: string; readonly breakpoint: number | null };

/**
 * Renders with a context of plain JSON. All or nothing: `field_missing`, `slot_missing`, `render_failed` and
 * `limit_exceeded` come with the place, and inside a partial with its key and the includes that led there.
 */
export function render(
  linked: LinkedTemplate,
  context: Readonly<Record<string, unknown>>,
): Result<RenderedText> {
  return renderWithin(linked, context, LIMITS.steps);
}

/** Steps that are left of a budget for several renders. */
export type StepBudget = { left: number };

/** Renders within fewer steps than the limit, and takes those it used from a budget. */
export function renderWithin(
  { key, root }: LinkedTemplate,
  context: Readonly<Record<string, unknown>>,
  steps: number,
  budget: StepBudget = { left: 0 },
): Result<RenderedText> {
  const state: State = {
    text: "",
    steps: LIMITS.steps - steps,
    root: context,
    names: new Map(),
    unit: root,
    call: null,
    breakpoint: null,
  };
  try {
    root.run(state, createFrame(context, null));
  } catch (error) {
    if (error instanceof Halt) return { ok: false, problem: error.problem };
    throw error;
  } finally {
    budget.left -= state.steps - (LIMITS.steps - steps);
  }
  const { text, breakpoint } = state;
  // A unit takes three bytes at most, so that only a long text must be measured.
  if (text.length * 3 > LIMITS.outputBytes && utf8Length(text) > LIMITS.outputBytes) {
    return refuse("limit_exceeded", OUTPUT_MESSAGE, { key });
  }
  return ok({ text, breakpoint });
}
