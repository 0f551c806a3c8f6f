import type { Position } from "@incipit/schema";
import { charge, type State } from "./run-state.ts";

/** Names for one step: V8 takes up to 0.1 µs for each in a large record, where it must sort them. */
const NAMES_A_STEP = 4;

/** Names of a record that are not worth remembering. */
const FEW_NAMES = 16;

/**
 * The names of a record's fields, in its order. A large record is asked once in a render, so that what cannot be
 * counted before it is known is never more than the records hold; after that they cost nothing.
 */
export function namesOf(
  state: State,
  record: Readonly<Record<string, unknown>>,
  at: Position,
): readonly string[] {
  const known = state.names.get(record);
  if (known !== undefined) return known;
  const names = Object.keys(record);
  if (names.length > FEW_NAMES) state.names.set(record, names);
  charge(state, Math.ceil(names.length / NAMES_A_STEP), at);
  return names;
}
