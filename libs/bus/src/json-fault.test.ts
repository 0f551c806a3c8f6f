import fc from "fast-check";
import { expect, it } from "vitest";
import { findJsonFault, findTooDeep, positionAt } from "./json-fault.ts";

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it("finds a fault in a text exactly when it is no JSON", () => {
  const scrap = fc.constantFrom(
    ...Array.from('{}[],:"\\/ \n\t-+.0123eEtruefalsenull'),
    "true",
    "null",
    '"a"',
    "\\u00",
    "\u0001",
    "é",
  );
  const text = fc.oneof(
    fc.array(scrap, { maxLength: 12 }).map((parts) => parts.join("")),
    // A text that is JSON but for one character.
    fc.tuple(fc.json(), fc.nat(), scrap, fc.boolean()).map(([json, at, part, put]) => {
      const i = at % (json.length + 1);
      return put ? json.slice(0, i) + part + json.slice(i) : json.slice(0, i) + json.slice(i + 1);
    }),
    fc.json(),
  );
  fc.assert(
    fc.property(text, (text) => {
      expect(findJsonFault(text) === null).toBe(isJson(text));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['{"a":x}', 5, "a value"],
  ['{"a" 1}', 5, '":"'],
  ['{"a":1,}', 7, "a name in double quotes"],
  ["{a:1}", 1, "a name in double quotes"],
  ["[1 2]", 3, '"," or "]"'],
  ["[1,]", 3, "a value"],
  ['"ab', 3, "the end of the string"],
  ['"a\nb"', 2, "no control character in a string, but its escape"],
  ['"a\\x"', 2, "an escape that JSON has"],
  ["{} {}", 3, "the end of the text"],
  ["01", 1, "the end of the text"],
  ["", 0, "a value"],
])("says where %j goes wrong and what is expected", (text, offset, expected) => {
  expect(findJsonFault(text)).toEqual({ offset, expected });
});

it("measures nesting as deep as it is, whatever strings hold", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
      const depth = (value: unknown): number =>
        typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
      const text = JSON.stringify(value);
      expect(findTooDeep(text, depth(value))).toBe(-1);
      if (depth(value) > 0) expect(findTooDeep(text, depth(value) - 1)).toBeGreaterThanOrEqual(0);
    }),
  );
  expect(findTooDeep('["[[[\\"[[[", {"]": []}]', 3)).toBe(-1);
  expect(findTooDeep("[[[]]]", 2)).toBe(2);
});

it("counts lines and columns from 1", () => {
  expect(positionAt("ab", 0)).toEqual({ line: 1, column: 1 });
  expect(positionAt("a\nbc", 3)).toEqual({ line: 2, column: 2 });
});
