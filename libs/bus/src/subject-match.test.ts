import { expect, test } from "vitest";
import { matchesSubject } from "./subject-match.ts";

test.each([
  ["a.b", "a.b", true],
  ["a.b", "a.b.c", false],
  ["a.b.c", "a.b", false],
  ["a.*", "a.b", true],
  ["a.*", "a", false],
  ["a.*", "a.b.c", false],
  ["*.b", "a.b", true],
  ["a.>", "a.b", true],
  ["a.>", "a.b.c", true],
  ["a.>", "a", false],
  [">", "a", true],
  ["a.*.c.>", "a.b.c.d", true],
])("%s and %s: %s", (filter, subject, expected) => {
  expect(matchesSubject(filter, subject)).toBe(expected);
});
