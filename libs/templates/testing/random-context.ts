import type { Contract, Json, JsonObject, Shape } from "@incipit/schema";
import { setField } from "../src/witness/json-object.ts";
import type { Random } from "./random.ts";

/** How contexts are made: all that may be there is, nothing is, at random, or what has broken renderers before. */
export const CONTEXT_STYLES = ["full", "empty", "random", "adversarial"] as const;
/** One of `CONTEXT_STYLES`. */
export type ContextStyle = (typeof CONTEXT_STYLES)[number];

const STRINGS = ["a", "b", "red", "Ada", "{{name}}", "<b>", "name", "mode"];
const EVIL_STRINGS = [
  "",
  "[object Object]",
  "undefined",
  "null",
  "constructor",
  "__proto__",
  "0",
  "x".repeat(20_000),
];
const NUMBERS = [0, 1, 2, 3, -1, 0.5];
const EVIL_NUMBERS = [0, -0, -1, 1, 2, 1.5, 1e21, 1e-7, Number.MAX_SAFE_INTEGER];
const RECORD_NAMES = ["a", "name", "mode"];
const EVIL_LENGTHS = [0, 1, 1, 2, 3];
const EVIL_NAMES = ["constructor", "__proto__", "toString", "", "0", "length", "a"];
/** Names that no contract lists: what stands under them is pruned. */
const UNLISTED = ["unlisted", "constructor", "__proto__", "hasOwnProperty"];

/** A context that the contract allows. */
export function randomContext(random: Random, contract: Contract, style: ContextStyle): JsonObject {
  return make(random, random.pick(contract.variants), style, 0) as JsonObject;
}

const DEEPEST = 7;

function make(random: Random, shape: Shape, style: ContextStyle, depth: number): Json {
  const isEvil = style === "adversarial";
  switch (shape.kind) {
    case "null":
      return null;
    case "literal":
      return shape.value;
    case "boolean":
      return style === "empty" ? false : style === "full" || random.chance(0.5);
    case "number": {
      const value = style === "empty" ? 0 : random.pick(isEvil ? EVIL_NUMBERS : NUMBERS);
      return shape.integer ? Math.trunc(value) : value;
    }
    case "string": {
      const value =
        style === "empty"
          ? ""
          : random.pick(isEvil ? EVIL_STRINGS : style === "full" ? STRINGS : [...STRINGS, ""]);
      return value.padEnd(shape.minLength, "x");
    }
    case "list": {
      const most =
        depth > DEEPEST || style === "empty"
          ? 0
          : style === "full"
            ? 2
            : isEvil
              ? random.pick(EVIL_LENGTHS)
              : random.int(4);
      const length = Math.max(shape.minItems, most);
      // Equal items, which stock Handlebars takes for one and the same scope.
      if (isEvil && length > 0) {
        const one = make(random, shape.item, style, depth + 1);
        return Array.from({ length }, () => one);
      }
      return Array.from({ length }, () => make(random, shape.item, style, depth + 1));
    }
    case "record": {
      const value: JsonObject = {};
      if (depth > DEEPEST || style === "empty") return value;
      for (const name of isEvil ? EVIL_NAMES : RECORD_NAMES)
        if (style === "full" || random.chance(0.5))
          setField(value, name, make(random, shape.value, style, depth + 1));
      return value;
    }
    case "object": {
      const value: JsonObject = {};
      for (const field of shape.fields.values()) {
        const isOptional = !field.required;
        if (isOptional && (depth > DEEPEST || style === "empty" || (style !== "full" && random.chance(0.5))))
          continue;
        // People send null for what is not there; the contract takes it as absent.
        value[field.name] =
          isEvil && isOptional && random.chance(0.1) ? null : make(random, field.shape, style, depth + 1);
      }
      if (isEvil && random.chance(0.2)) setField(value, random.pick(UNLISTED), { deep: [null] });
      return value;
    }
    case "union": {
      const nothing = shape.members.find(({ kind }) => kind === "null");
      if (nothing !== undefined && (style === "empty" || depth > DEEPEST)) return null;
      const members = style === "full" ? shape.members.filter(({ kind }) => kind !== "null") : shape.members;
      return make(random, random.pick(members), style, depth + 1);
    }
    default:
      return shape satisfies never;
  }
}
