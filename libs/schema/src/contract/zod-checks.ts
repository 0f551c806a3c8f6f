import { checksOf, definitionOf, type ZodSchema } from "./zod-definition.ts";

/** The checks that a document can hold, by the type they are on; those that only describe stand on any. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  string: ["min_length"],
  array: ["min_length"],
  number: ["number_format"],
};
const DESCRIBING = ["describe", "meta"];

/** What is wrong with the checks of a schema: all that a document cannot hold. */
export function faultsOfChecks(schema: ZodSchema): string[] {
  const held = HELD[definitionOf(schema).type] ?? [];
  return checksOf(schema).flatMap(({ check, format }) => {
    if (DESCRIBING.includes(check)) return [];
    if (held.includes(check))
      return check === "number_format" && format !== "safeint"
        ? [`the format ${format} cannot be held by a contract: use z.int()`]
        : [];
    const what = format === undefined ? `check ${check}` : `format ${format}`;
    return [`the ${what} cannot be held by a contract: only min(…) on strings and lists, and int(), can`];
  });
}

/** The least length of a string or a list under `keyword`, where one is set. */
export function minimumOf(schema: ZodSchema, keyword: "minLength" | "minItems"): Record<string, number> {
  const minima = checksOf(schema).flatMap(({ minimum }) => (typeof minimum === "number" ? [minimum] : []));
  return minima.length === 0 ? {} : { [keyword]: Math.max(...minima) };
}

/** Whether a number must be whole. Zod's integers are safe ones; to a contract any whole number is one. */
export function isInteger(schema: ZodSchema): boolean {
  return checksOf(schema).some(({ format }) => format === "safeint");
}

/** The values of an enum; of one of TypeScript's, without the names that numbers are mapped back to. */
export function enumValues(entries: Readonly<Record<string, string | number>>): (string | number)[] {
  const numbers = Object.values(entries).filter((value) => typeof value === "number");
  return Object.entries(entries)
    .filter(([name]) => !numbers.includes(Number(name)))
    .map(([, value]) => value);
}

/** What to write instead of what a contract cannot hold. */
const INSTEAD: Readonly<Record<string, string>> = {
  any: "say what it holds, or give it as a string",
  unknown: "say what it holds, or give it as a string",
  never: "leave the field out",
  undefined: "make the field optional",
  void: "make the field optional",
  date: "give it as a string that is ready to be read",
  bigint: "give it as a string or a number",
  symbol: "give it as a string",
  nan: "give a number, or null",
  transform: "transform the value before it is sent",
  pipe: "give the type that is sent, without transforming it",
  tuple: "give an object with a name for each place, or a list",
  set: "give a list",
  map: "give a record",
  intersection: "give one object with all the fields",
  promise: "await it before it is sent",
  function: "call it before the context is sent",
  file: "give its text as a string",
  template_literal: "use z.string(), or list the texts with z.enum",
  nonoptional: "leave optional() out",
  success: "give a boolean",
  catch: "give a default, or let a wrong value be refused",
  prefault: "give a default",
  custom: "give the type itself; a check of one's own cannot be stored",
};

/** Why a type of Zod's is refused, and what to write instead. */
export function refusalOf(type: string): string {
  return `z.${type} has no place in a contract: ${INSTEAD[type] ?? "give what JSON holds"}`;
}
