import type { Slot, Statement } from "./ast.ts";
import { charge, checkOutput, halt, type State, type Step } from "./run-state.ts";
import { describe, readOwn } from "./values.ts";

/** Compiles a body of the slots syntax: one pass, values as they are, all missing slots named at once. */
export function compileSlots(body: readonly Statement[]): Step {
  const slots = body.filter((statement) => statement.kind === "slot");
  return (state, frame) => {
    const [first] = body;
    if (first !== undefined) charge(state, body.length, first.position);
    const missing = slots.filter(({ name }) => readOwn(frame.value, name) === undefined);
    if (missing.length > 0) haltMissing(state, missing);
    for (const statement of body) {
      if (statement.kind === "text") state.text += statement.text;
      else if (statement.kind === "breakpoint") state.breakpoint = state.text.length;
      else if (statement.kind === "slot") {
        state.text += printSlot(state, statement, readOwn(frame.value, statement.name));
        checkOutput(state, statement.position);
      }
    }
  };
}

function haltMissing(state: State, missing: readonly Slot[]): never {
  const [first] = missing;
  const names = [...new Set(missing.map(({ name }) => name))];
  if (first === undefined) throw new Error("no slot is missing");
  const listed = names.map((name) => `{${name}}`).join(", ");
  const message = `No value is given for ${listed}. An empty string would do; \\{${first.name}} is text.`;
  return halt(state, "slot_missing", first.position, message, names.join(", "));
}

function printSlot(state: State, slot: Slot, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return String(value);
  const message = `The slot {${slot.name}} takes a string, a number or a boolean, and is given ${describe(value)}.`;
  return halt(state, "render_failed", slot.position, message, slot.name);
}
