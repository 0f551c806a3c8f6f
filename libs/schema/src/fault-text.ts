import { z } from "zod";

/** A fault as Zod reports it while it parses: the code, what the code is about, and the value found. */
type Fault = z.core.$ZodRawIssue;

/**
 * What is wrong with a value, in words that a person understands who has never heard of Zod. Undefined where Zod's own
 * words stay; a schema that says its own with `error` is not asked here at all. Give it to `safeParse` as `error`.
 */
export function faultText(fault: Fault): string | undefined {
  switch (fault.code) {
    case "invalid_type":
      return fault.input === undefined ? "is missing" : `must be ${withArticle(fault.expected)}`;
    case "too_small":
      return boundText(fault.origin, fault.minimum, "at least");
    case "too_big":
      return boundText(fault.origin, fault.maximum, "at most");
    case "invalid_value":
      return fault.values.length === 1
        ? `must be ${String(fault.values[0])}`
        : `must be one of ${fault.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return `${listNames(fault.keys)} not known here${knownFields(fault.inst)}`;
    case "invalid_union":
      return "has none of the forms that are allowed here";
    default:
      return undefined;
  }
}

/** Names that one message shows at most, and characters of each: they come from the sender. */
const SHOWN_NAMES = 5;
const SHOWN_LENGTH = 60;

/** `"a" is`, `"a", "b" are`. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name.slice(0, SHOWN_LENGTH)));
  if (names.length > SHOWN_NAMES) shown.push(`and ${names.length - SHOWN_NAMES} more`);
  return `${shown.join(", ")} ${names.length === 1 ? "is" : "are"}`;
}

/** What a length counts; a number counts nothing. */
const UNITS: Readonly<Record<string, string>> = { string: "character", array: "item", set: "item" };

function boundText(origin: string, bound: number | bigint, which: "at least" | "at most"): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${which} ${bound}`;
  if (which === "at least" && bound === 1) return "must not be empty";
  return `must have ${which} ${bound} ${unit}${bound === 1 ? "" : "s"}`;
}

const NAMES: Readonly<Record<string, string>> = {
  int: "a whole number",
  safeint: "a whole number",
  array: "a list",
  object: "an object",
  record: "an object",
  boolean: "true or false",
};

const withArticle = (type: string) => NAMES[type] ?? `a ${type}`;

/** `; known: a, b`, where the schema is an object whose fields can be listed. */
function knownFields(schema: unknown): string {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return fields.length === 0 ? "" : `; known: ${fields.join(", ")}`;
}
