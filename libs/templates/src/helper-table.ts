/** What a helper takes and gives. The checker, the parser and the reference read the same table. */
export type HelperEntry = {
  /** Fewest and most arguments. */
  readonly min: number;
  readonly max: number;
  /** The call as a person would write it. */
  readonly usage: string;
  /** The types it takes, in words. */
  readonly takes: string;
  readonly gives: "boolean" | "number" | "string" | "any";
};

const entry = (
  min: number,
  max: number,
  usage: string,
  takes: string,
  gives: HelperEntry["gives"],
): HelperEntry => ({ min, max, usage, takes, gives });

/** The helpers of the language. All are pure; every argument is evaluated before the helper runs. */
export const HELPERS = {
  eq: entry(2, 2, "(eq a b)", "strings, numbers, booleans or null; different types are not equal", "boolean"),
  ne: entry(2, 2, "(ne a b)", "strings, numbers, booleans or null; different types are not equal", "boolean"),
  lt: entry(2, 2, "(lt a b)", "two numbers or two strings (compared by UTF-16 units)", "boolean"),
  lte: entry(2, 2, "(lte a b)", "two numbers or two strings (compared by UTF-16 units)", "boolean"),
  gt: entry(2, 2, "(gt a b)", "two numbers or two strings (compared by UTF-16 units)", "boolean"),
  gte: entry(2, 2, "(gte a b)", "two numbers or two strings (compared by UTF-16 units)", "boolean"),
  and: entry(2, Infinity, "(and a b …)", "anything, judged as `if` does", "boolean"),
  or: entry(2, Infinity, "(or a b …)", "anything, judged as `if` does", "boolean"),
  not: entry(1, 1, "(not a)", "anything, judged as `if` does", "boolean"),
  length: entry(1, 1, "(length a)", "a list, a record (its fields) or a string (its UTF-16 units)", "number"),
  join: entry(
    1,
    2,
    '(join list ", ")',
    "a list of strings, numbers and booleans; a string between them",
    "string",
  ),
  json: entry(
    1,
    2,
    "(json a 2)",
    "anything; how many spaces to indent by, 0 to 10 (0 is one line)",
    "string",
  ),
  default: entry(2, 2, '(default a "none")', "anything; the second is given where the first is null", "any"),
  lookup: entry(2, 2, "(lookup a key)", "a record and a string, or a list and a number", "any"),
  upper: entry(1, 1, "(upper a)", "a string", "string"),
  lower: entry(1, 1, "(lower a)", "a string", "string"),
  trim: entry(1, 1, "(trim a)", "a string", "string"),
  indent: entry(
    2,
    2,
    "(indent a 2)",
    "a string; how many spaces, 0 to 64, before each line but blank ones",
    "string",
  ),
} as const satisfies Record<string, HelperEntry>;

/** The name of a helper that has a value. */
export type HelperName = keyof typeof HELPERS;

/** Whether a name is that of a helper with a value. */
export function isHelperName(name: string): name is HelperName {
  return Object.hasOwn(HELPERS, name);
}

/** Names that stand alone: `{{cacheBreakpoint}}`. */
export const BREAKPOINT = "cacheBreakpoint";

/** The blocks of the language. */
export const BLOCKS = ["if", "unless", "each", "with"] as const;

/** The name of a block. */
export type BlockName = (typeof BLOCKS)[number];

/** Whether a name is that of a block. */
export function isBlockName(name: string): name is BlockName {
  return (BLOCKS as readonly string[]).includes(name);
}
