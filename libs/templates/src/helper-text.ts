import { LIMITS } from "@incipit/schema";
import type { Call } from "./ast.ts";
import { refuseArgument } from "./refuse-argument.ts";
import { charge, haltOutput, type State } from "./run-state.ts";
import { costOfCopying } from "./text-cost.ts";

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
  charge(state, costOfCopying(length), call.position);
  return texts.join(separator);
}

/** Lines of `indent` for one step: 0.25 µs for each. */
const LINES_A_STEP = 2;

/** `indent`: spaces before each line that is not blank, the first too. A line ends with LF or CRLF, with nothing else. */
export function indentText(state: State, call: Call, [text, width]: readonly unknown[]): string {
  if (typeof text !== "string") return refuseArgument(state, call, 0, text, "a string");
  if (typeof width !== "number" || !Number.isInteger(width) || width < 0 || width > WIDEST_INDENT) {
    return refuseArgument(state, call, 1, width, `a whole number from 0 to ${WIDEST_INDENT}`);
  }
  charge(state, costOfCopying(text.length), call.position);
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines++;
    if (lines % LINES_A_STEP === 0) charge(state, 1, call.position);
  }
  if (text.length + lines * width > LIMITS.outputBytes) return haltOutput(state, call.position);
  charge(state, costOfCopying(text.length + lines * width), call.position);
  const spaces = " ".repeat(width);
  let indented = "";
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from) + 1 || text.length;
    const line = text.slice(from, end);
    indented += /\S/.test(line) ? spaces + line : line;
    from = end;
  }
  return indented;
}
