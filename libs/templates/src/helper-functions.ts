import { mayBeAbsent } from "@incipit/schema";
import type { Call } from "./ast.ts";
import { writeJson } from "./helper-json.ts";
import { indentText, joinList } from "./helper-text.ts";
import type { HelperName } from "./helper-table.ts";
import { namesOf } from "./record-names.ts";
import { refuseArgument } from "./refuse-argument.ts";
import { charge, halt, type State } from "./run-state.ts";
import { costOfCase, costOfComparing, costOfCopying } from "./text-cost.ts";
import { isTruthy } from "./truthiness.ts";
import { isRecord, readOwn } from "./values.ts";

/** A helper: the arguments are evaluated, and as many as its table says. Halts on those it does not take. */
export type HelperFunction = (state: State, call: Call, args: readonly unknown[]) => unknown;

/** What each helper does. */
export const HELPER_FUNCTIONS: Readonly<Record<HelperName, HelperFunction>> = {
  eq: (state, call, [a, b]) => isEqual(state, call, a, b),
  ne: (state, call, [a, b]) => !isEqual(state, call, a, b),
  lt: (state, call, [a, b]) => compare(state, call, a, b) < 0,
  lte: (state, call, [a, b]) => compare(state, call, a, b) <= 0,
  gt: (state, call, [a, b]) => compare(state, call, a, b) > 0,
  gte: (state, call, [a, b]) => compare(state, call, a, b) >= 0,
  and: (_state, _call, args) => args.every((value) => isTruthy(value)),
  or: (_state, _call, args) => args.some((value) => isTruthy(value)),
  not: (_state, _call, [value]) => !isTruthy(value),
  length: (state, call, [value]) => {
    if (typeof value === "string" || Array.isArray(value)) return value.length;
    if (!isRecord(value)) return refuseArgument(state, call, 0, value, "a list, a record or a string");
    return namesOf(state, value, call.position).length;
  },
  join: joinList,
  json: writeJson,
  default: (_state, _call, [value, fallback]) => value ?? fallback,
  lookup: lookUp,
  upper: (state, call, [value]) => readCased(state, call, value).toUpperCase(),
  lower: (state, call, [value]) => readCased(state, call, value).toLowerCase(),
  trim: (state, call, [value]) => {
    const text = readString(state, call, value);
    charge(state, costOfCopying(text.length), call.position);
    return text.trim();
  },
  indent: indentText,
};

function readString(state: State, call: Call, value: unknown): string {
  if (typeof value !== "string") return refuseArgument(state, call, 0, value, "a string");
  return value;
}

function readCased(state: State, call: Call, value: unknown): string {
  const text = readString(state, call, value);
  charge(state, costOfCase(text), call.position);
  return text;
}

function isEqual(state: State, call: Call, a: unknown, b: unknown): boolean {
  if (typeof a === "object" && a !== null) return refuseArgument(state, call, 0, a, COMPARABLE);
  if (typeof b === "object" && b !== null) return refuseArgument(state, call, 1, b, COMPARABLE);
  if (typeof a === "string") charge(state, costOfComparing(a.length), call.position);
  return a === b;
}

const COMPARABLE = "a string, a number, a boolean or null";

/** Below, at or above 0 as the first is less than, equal to or more than the second. */
function compare(state: State, call: Call, a: unknown, b: unknown): number {
  if (typeof a === "number" && Number.isFinite(a)) {
    if (typeof b === "number" && Number.isFinite(b)) return a - b;
    return refuseArgument(state, call, 1, b, "a number, as the first is");
  }
  if (typeof a === "string") {
    if (typeof b !== "string") return refuseArgument(state, call, 1, b, "a string, as the first is");
    charge(state, costOfComparing(a.length), call.position);
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return refuseArgument(state, call, 0, a, "a number or a string");
}

function lookUp(state: State, call: Call, [holder, key]: readonly unknown[]): unknown {
  if (Array.isArray(holder)) {
    if (typeof key !== "number")
      return refuseArgument(state, call, 1, key, "a number, since a list is looked into");
  } else if (!isRecord(holder)) return refuseArgument(state, call, 0, holder, "a record or a list");
  else if (typeof key !== "string")
    return refuseArgument(state, call, 1, key, "a string, since a record is looked into");
  if (typeof key === "string") charge(state, costOfComparing(key.length), call.position);
  const value = readOwn(holder, key);
  if (value !== undefined) return value;
  if (mayBeAbsent(holder, key)) return null;
  const [from] = call.args;
  const path = `${from?.kind === "path" ? from.text : "(…)"}.${String(key).slice(0, 200)}`;
  const what = Array.isArray(holder)
    ? `a list of ${holder.length} has no item ${String(key)}`
    : "there is no such field";
  return halt(
    state,
    "field_missing",
    call.args[1]?.position ?? call.position,
    `\`${path}\` is not in the context: ${what}.`,
    path,
  );
}
