import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { matchOf } from "./search-words.ts";

test.each([
  ["triage", '"triage"'],
  ["two words", '"two" AND "words"'],
  ["tri*", '"tri"*'],
  ['"two words"', '"two words"'],
  ['"two wo"*', '"two wo"*'],
  ['"never closed', '"never closed"'],
  ["key:x OR NOT (NEAR)", '"key:x" AND "OR" AND "NOT" AND "(NEAR)"'],
  ["support/triage", '"support/triage"'],
  ["a -- *** b", '"a" AND "b"'],
  ['x"y"z', '"x" AND "y" AND "z"'],
])("%s is %s to FTS5", (q, match) => {
  expect(matchOf(q)).toEqual({ ok: true, value: match });
});

test.each(["", "   ", "***", '""', "-- ** ()", "…", "👍"])("%j holds no word to look for", (q) => {
  expect(matchOf(q)).toMatchObject({ ok: false, problem: { code: "bad_request" } });
});

it("takes twenty words and no more", () => {
  expect(matchOf("w ".repeat(20)).ok).toBe(true);
  expect(matchOf("w ".repeat(21))).toMatchObject({ problem: { message: expect.stringMatching(/21 words/) } });
});

it("never makes anything that FTS5 does not read, whatever is looked for", () => {
  const db = new Database(":memory:");
  db.exec("CREATE VIRTUAL TABLE t USING fts5 (a); INSERT INTO t VALUES ('one two')");
  const find = db.prepare<[string]>("SELECT rowid FROM t WHERE t MATCH ?");
  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(
        '"',
        "*",
        "(",
        ")",
        ":",
        "^",
        "+",
        "-",
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        "{a}",
        "\0",
        " ",
        "one",
      ),
      fc.string({ unit: "binary" }),
    ),
  );
  fc.assert(
    fc.property(hostile, (parts) => {
      const match = matchOf(parts.join(""));
      if (match.ok) find.all(match.value);
    }),
  );
  db.close();
});
