import { CATALOGUE, type EventType } from "./catalogue.ts";

/** Turns data of one shape into that of the next. Total: what it cannot read it leaves for the schema to refuse. */
export type Upcast = (data: unknown) => unknown;

/**
 * The steps from old shapes to the current one, by event type: the step at index 0 turns `v` 1 into `v` 2, and so on.
 * A type at `v` n has n - 1 steps.
 */
export type UpcastSteps = Readonly<Record<EventType, readonly Upcast[]>>;

/** No shape has changed yet. */
export const UPCASTS: UpcastSteps = {
  TemplateAdded: [],
  TemplateActivated: [],
  TemplateDeactivated: [],
  ContractPublished: [],
};

/** Brings data of shape `v` to the current shape, step by step. */
export function upcast(type: EventType, v: number, data: unknown, steps: UpcastSteps = UPCASTS): unknown {
  return steps[type].slice(v - 1).reduce((value, step) => step(value), data);
}

/** Whether each type has exactly the steps its current `v` calls for. */
export function upcastsAreComplete(steps: UpcastSteps = UPCASTS): boolean {
  return Object.entries(CATALOGUE).every(([type, { v }]) => steps[type as EventType].length === v - 1);
}
