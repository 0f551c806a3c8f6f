import { LIMITS } from "@incipit/schema";
import type { Call } from "./ast.ts";
import { refuseArgument } from "./refuse-argument.ts";
import { charge, haltOutput, type State, stepsOf } from "./run-state.ts";

const WIDEST_INDENT = 64;

/** `join`: scalars with a separator (", ") between them. The length is known before the text is made. */
export function joinList(state: State, call: Call, args: readonly unknown[]): string {
  const [list, separator = ", "] = args;
  if (!Array.isArray(list)) return refuseArgument(state, call, 0, list, "a list");
  if (typeof separator !== "string") return refuseArgument(state, call, 1, separator, "a string");
  charge(state, list.length, call.position);
  const items: readonly unknown[] = list;
  let length = 0;
  const texts = items.map((item) => {
    const isPlain = typeof item === "string" || typeof item === "boolean" || Number.isFinite(item);
    if (!isPlain)
      return refuseArgument(state, call, 0, item, "a list of strings, numbers and booleans; an item");
    const text = String(item);
    length += text.length + separator.length;
    if (length - separator.length > LIMITS.outputBytes) haltOutput(state, call.position);
    return text;
  });
  charge(state, stepsOf(length), call.position);
  return texts.join(separator);
}

/** `indent`: spaces before each line that is not blank, the first too. */
export function indentText(state: State, call: Call, [text, width]: readonly unknown[]): string {
  if (typeof text !== "string") return refuseArgument(state, call, 0, text, "a string");
  if (typeof width !== "number" || !Number.isInteger(width) || width < 0 || width > WIDEST_INDENT) {
    return refuseArgument(state, call, 1, width, `a whole number from 0 to ${WIDEST_INDENT}`);
  }
  charge(state, stepsOf(text.length), call.position);
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  charge(state, lines >> 4, call.position);
  if (text.length + lines * width > LIMITS.outputBytes) return haltOutput(state, call.position);
  return text.replaceAll(/^(?=.*\S)/gm, " ".repeat(width));
}
