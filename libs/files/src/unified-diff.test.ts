import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const diff = (a: string, b: string) => unifiedDiff({ name: "a", text: a }, { name: "b", text: b });

it("shows what goes and what comes, with three lines around", () => {
  expect(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")).toBe(
    "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
});

it("is empty where nothing differs, and tells line ends and a missing last one apart", () => {
  expect(diff("a\n", "a\n")).toBe("");
  expect(diff("a\r\n", "a\n")).toBe("--- a\n+++ b\n@@ -1,1 +1,1 @@\n-a\r\n+a\n");
  expect(diff("a", "a\n")).toBe("--- a\n+++ b\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
});

it("of texts that have nothing in common ends soon, and says that all was replaced", () => {
  const lines = (word: string) => Array.from({ length: 60_000 }, (_, i) => `${word}${i}\n`).join("");
  const all = diff(lines("a"), lines("b"));
  expect(applyPatch(lines("a"), all)).toBe(lines("b"));
  expect(all).toContain("@@ -1,60000 +1,60000 @@\n-a0\n");
  expect(all.split("\n")).toHaveLength(120_004);
});

it("applied to the one text gives the other", () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "a\r\n", "d"))
    .map((lines) => lines.join(""));
  fc.assert(
    fc.property(text, text, (a, b) => {
      // Another implementation's patch program is not at hand: the library reads what it writes, and what is written here.
      expect(a === b ? b : applyPatch(a, diff(a, b), { autoConvertLineEndings: false })).toBe(b);
    }),
  );
});
