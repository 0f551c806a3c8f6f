/** Where a text stops being JSON, and what would have had to stand there. */
export type JsonFault = { offset: number; expected: string };

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Where in a text the nesting of lists and objects first exceeds `limit`, or -1. One pass that looks at brackets outside
 * strings only, so it is right for every JSON text, and harmless for any other.
 */
export function findTooDeep(text: string, limit: number): number {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (inString) {
      if (unit === 0x5c) i++;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > limit) return i;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return -1;
}

/**
 * Finds the first fault of a text that is no JSON; null where it is JSON. `JSON.parse` does not always say where, and quotes
 * the text, which may be a prompt's. Recurses: the nesting must have been limited before.
 */
export function findJsonFault(text: string): JsonFault | null {
  let at = 0;
  let fault: JsonFault | null = null;

  const fail = (expected: string) => {
    fault ??= { offset: at, expected };
    return false;
  };
  const skipSpace = () => {
    while (at < text.length && " \t\n\r".includes(text.charAt(at))) at++;
  };
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };

  function value(): boolean {
    skipSpace();
    const first = text.charAt(at);
    if (first === "{") return items("}", () => string("name") && colon() && value());
    if (first === "[") return items("]", value);
    if (first === '"') return string("value");
    return take(SCALAR) || fail("a value");
  }

  function items(end: "}" | "]", item: () => boolean): boolean {
    at++;
    skipSpace();
    if (text.charAt(at) === end) return ++at > 0;
    for (;;) {
      if (!item()) return false;
      skipSpace();
      const next = text.charAt(at);
      if (next !== "," && next !== end) return fail(`"," or "${end}"`);
      at++;
      if (next === end) return true;
      skipSpace();
    }
  }

  function colon(): boolean {
    skipSpace();
    return text.charAt(at) === ":" ? ++at > 0 : fail('":"');
  }

  function string(what: "value" | "name"): boolean {
    if (text.charAt(at) !== '"') return fail(`a ${what} in double quotes`);
    at++;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) return ++at > 0;
      if (unit < 0x20) return fail("no control character in a string, but its escape");
      if (unit !== 0x5c) at++;
      else if (!take(ESCAPE)) return fail("an escape that JSON has");
    }
    return fail("the end of the string");
  }

  if (value()) {
    skipSpace();
    if (at < text.length) fail("the end of the text");
  }
  return fault;
}

/** Line and column of an offset, from 1, in UTF-16 units. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return {
    line: before.split("\n").length,
    column: offset - before.lastIndexOf("\n"),
  };
}
