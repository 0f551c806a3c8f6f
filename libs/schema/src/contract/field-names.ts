/** Names a field may not have: written alone they mean something else to the language. */
export const RESERVED_NAMES: readonly string[] = [
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "and",
  "or",
  "not",
  "length",
  "join",
  "json",
  "default",
  "lookup",
  "upper",
  "lower",
  "trim",
  "indent",
  "if",
  "unless",
  "each",
  "with",
  "cacheBreakpoint",
  "log",
  "else",
  "this",
  "as",
  "true",
  "false",
  "null",
  "undefined",
  "helperMissing",
  "blockHelperMissing",
];

// What Handlebars' lexer cannot take as a name without brackets, and what it takes for a number.
const UNREADABLE = /[\s!-#%-,./;<=>@[-^`{-~]|\p{Surrogate}/u;
const NUMBER = /^-?\d+$/;

/** Whether a name leads into JavaScript's prototypes: refused wherever a template names a field. */
export function isPrototypeName(name: string): boolean {
  return name === "prototype" || name in Object.prototype;
}

/** Why a field may not have a name, as the end of a sentence; null where it may. */
export function faultOfFieldName(name: string): string | null {
  if (name === "") return "has no name";
  if (name.length > LONGEST) return `has a name of more than ${LONGEST} characters`;
  if (RESERVED_NAMES.includes(name))
    return `has a name that means something else to templates: rename it, as in ${name}Value`;
  if (isPrototypeName(name)) return "has a name that belongs to JavaScript's prototypes: rename it";
  if (NUMBER.test(name)) return "has a name that templates read as a number: begin it with a letter";
  if (UNREADABLE.test(name))
    return "has a name that templates cannot read without brackets: use letters, digits, _ and -, and neither spaces nor dots";
  return null;
}

const LONGEST = 100;
