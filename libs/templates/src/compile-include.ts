import type { Include } from "./ast.ts";
import { compileExpression } from "./compile-expression.ts";
import { namesOf } from "./record-names.ts";
import {
  charge,
  checkOutput,
  createFrame,
  type Frame,
  type Read,
  type State,
  type Step,
} from "./run-state.ts";
import { isRecord } from "./values.ts";

/** Runs the partial linked at this place, in a scope of its own: `../` and loop variables do not reach its caller. */
export function compileInclude(include: Include): Step {
  const { index, position } = include;
  const context = include.context === null ? null : compileExpression(include.context);
  const fields = include.fields.map(({ name, value }) => ({ name, read: compileExpression(value) }));
  return (state, frame) => {
    charge(state, 1 + fields.length, position);
    const base = context === null ? frame.value : context(state, frame);
    const value = fields.length === 0 ? base : merge(state, frame, base, fields, include);
    const { unit, call } = state;
    const target = unit.targets[index];
    if (target === undefined) throw new Error(`the include of "${include.key}" is not linked`);
    state.unit = target;
    state.call = { unit, include, outer: call };
    target.run(state, createFrame(value, null));
    state.unit = unit;
    state.call = call;
    checkOutput(state, position);
  };
}

/** Fields given by name lie over those of a record; over any other value they stand alone. */
function merge(
  state: State,
  frame: Frame,
  base: unknown,
  fields: readonly { name: string; read: Read }[],
  { position }: Include,
): Readonly<Record<string, unknown>> {
  if (isRecord(base)) charge(state, costOfCopy(namesOf(state, base, position).length), position);
  const merged = isRecord(base) ? copyOf(base) : {};
  for (const { name, read } of fields) merged[name] = read(state, frame);
  return merged;
}

/** A copy that keeps what a contract's validator noted, in the prototype, of fields that may be absent. */
function copyOf(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const prototype = Object.getPrototypeOf(record) as object | null;
  // Assigning a field `__proto__` would set the prototype here, where a validator's have no such setter.
  if (prototype === Object.prototype) return { ...record };
  return Object.assign(Object.create(prototype) as Record<string, unknown>, record);
}

/** Fields up to which copying one takes 0.5 µs at most; in a record of more it takes up to one. */
const FEW_FIELDS = 1_000;

/** The steps for copying a record of so many fields. */
function costOfCopy(fields: number): number {
  return fields <= FEW_FIELDS ? fields : fields * 2;
}
