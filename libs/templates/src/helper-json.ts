import { LIMITS } from "@incipit/schema";
import type { Call } from "./ast.ts";
import { refuseArgument } from "./refuse-argument.ts";
import { charge, halt, haltOutput, type State, stepsOf } from "./run-state.ts";

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
  const write = (item: unknown, depth: number): void => {
    charge(state, 1, call.position);
    if (depth > LIMITS.jsonDepth) {
      halt(
        state,
        "limit_exceeded",
        call.position,
        `The value nests deeper than ${LIMITS.jsonDepth} (limit "jsonDepth").`,
      );
    }
    const between = width === 0 ? "" : `\n${" ".repeat(width * (depth + 1))}`;
    const end = width === 0 ? "" : `\n${" ".repeat(width * depth)}`;
    if (Array.isArray(item)) {
      const items: readonly unknown[] = item;
      add("[");
      items.forEach((inner, i) => {
        add(i === 0 ? between : `,${between}`);
        write(inner, depth + 1);
      });
      add(items.length === 0 ? "]" : `${end}]`);
    } else if (typeof item === "object" && item !== null) {
      const fields = Object.entries(item);
      add("{");
      fields.forEach(([name, inner], i) => {
        add(`${i === 0 ? "" : ","}${between}${JSON.stringify(name)}:${width === 0 ? "" : " "}`);
        write(inner, depth + 1);
      });
      add(fields.length === 0 ? "}" : `${end}}`);
    } else add(writeScalar(state, call, item));
  };
  write(value, 0);
  return text;
}

function writeScalar(state: State, call: Call, value: unknown): string {
  if (typeof value === "string") {
    charge(state, stepsOf(value.length), call.position);
    return JSON.stringify(value);
  }
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return JSON.stringify(value);
  return refuseArgument(state, call, 0, value, "what JSON can hold; a part");
}
