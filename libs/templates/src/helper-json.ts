import { LIMITS } from "@incipit/schema";
import type { Call } from "./ast.ts";
import { namesOf } from "./record-names.ts";
import { refuseArgument } from "./refuse-argument.ts";
import { charge, halt, haltOutput, type State } from "./run-state.ts";
import { costOfCopying, costOfQuoting, countEscapes } from "./text-cost.ts";
import { isRecord } from "./values.ts";

const WIDEST_INDENT = 10;

/**
 * `json`: the value as JSON, the keys of records in the order the context has them. Written here, not by
 * `JSON.stringify`, so that steps and length are counted while the text grows, and no `toJSON` of a value is called.
 */
export function writeJson(state: State, call: Call, [value, width = 0]: readonly unknown[]): string {
  if (typeof width !== "number" || !Number.isInteger(width) || width < 0 || width > WIDEST_INDENT) {
    return refuseArgument(state, call, 1, width, `a whole number from 0 to ${WIDEST_INDENT}`);
  }
  let text = "";
  const add = (piece: string): void => {
    text += piece;
    if (text.length > LIMITS.outputBytes) haltOutput(state, call.position);
  };
  const newLine = (depth: number): string => {
    if (width === 0) return "";
    charge(state, costOfCopying(width * depth), call.position);
    return `\n${" ".repeat(width * depth)}`;
  };
  /** `lead` is what stands before the value: a comma, a line's beginning, a name. */
  const write = (item: unknown, depth: number, lead: string): void => {
    charge(state, 1, call.position);
    if (depth > LIMITS.jsonDepth) {
      halt(
        state,
        "limit_exceeded",
        call.position,
        `The value nests deeper than ${LIMITS.jsonDepth} (limit "jsonDepth").`,
      );
    }
    if (Array.isArray(item)) {
      const items: readonly unknown[] = item;
      if (items.length === 0) return add(`${lead}[]`);
      const before = newLine(depth + 1);
      add(`${lead}[`);
      items.forEach((inner, i) => write(inner, depth + 1, i === 0 ? before : `,${before}`));
      return add(`${newLine(depth)}]`);
    }
    if (!isRecord(item)) return add(lead + writeScalar(state, call, item));
    const names = namesOf(state, item, call.position);
    if (names.length === 0) return add(`${lead}{}`);
    const before = newLine(depth + 1);
    const after = width === 0 ? ":" : ": ";
    add(`${lead}{`);
    names.forEach((name, i) =>
      write(item[name], depth + 1, `${i === 0 ? "" : ","}${before}${quote(state, call, name)}${after}`),
    );
    return add(`${newLine(depth)}}`);
  };
  write(value, 0, "");
  return text;
}

/** A string of JSON, paid for before it is written. */
function quote(state: State, call: Call, text: string): string {
  charge(state, costOfQuoting(text.length), call.position);
  charge(state, countEscapes(text), call.position);
  return JSON.stringify(text);
}

function writeScalar(state: State, call: Call, value: unknown): string {
  if (typeof value === "string") return quote(state, call, value);
  if (value === null || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) {
    if (!Number.isInteger(value)) charge(state, 1, call.position); // its digits take half a microsecond
    return JSON.stringify(value);
  }
  return refuseArgument(state, call, 0, value, "what JSON can hold; a part");
}
