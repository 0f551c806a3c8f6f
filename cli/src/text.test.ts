import { describe, expect, it } from "vitest";
import { count, formatFields, formatTable, printable, shorten } from "./text.ts";

describe("formatTable", () => {
  it("aligns columns, numbers to the right, without blanks at the end of a line", () => {
    const table = formatTable(
      ["KEY", "NEWEST", "TAGS"],
      [
        ["a", 12, ""],
        ["support/triage", "-", "x y"],
      ],
    );
    expect(table).toBe(
      [
        "KEY             NEWEST  TAGS", //
        "a                   12",
        "support/triage       -  x y",
        "",
      ].join("\n"),
    );
  });

  it("shows only the heading where there are no rows", () => {
    expect(formatTable(["KEY", "N"], [])).toBe("KEY  N\n");
  });

  it("lets no cell break its line or drive the terminal", () => {
    expect(formatTable(["NOTE"], [["a\nb\u001b[31m\u0007"]])).toBe("NOTE\na⏎b\\x1b[31m\\x07\n");
  });
});

it("aligns the values of fields", () => {
  expect(
    formatFields([
      ["key", "a"],
      ["on error", "fail"],
      ["note", ""],
    ]),
  ).toBe("key       a\non error  fail\nnote\n");
});

it("leaves text that is harmless as it is", () => {
  expect(printable("Grüße, 你好 🙂")).toBe("Grüße, 你好 🙂");
});

it("shortens what is too long", () => {
  expect([shorten("abcd", 4), shorten("abcde", 4)]).toEqual(["abcd", "abc…"]);
});

it("counts in words", () => {
  expect([count(1, "key"), count(0, "key"), count(2, "entry", "entries")]).toEqual([
    "1 key",
    "0 keys",
    "2 entries",
  ]);
});
