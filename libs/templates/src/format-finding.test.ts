import { expect, it } from "vitest";
import { formatFinding } from "./format-finding.ts";
import { parseTemplate } from "./parse-template.ts";

function format(body: string): string {
  const parsed = parseTemplate(body, "handlebars");
  if (parsed.ok) throw new Error("the body is not refused");
  return (parsed.problem.findings ?? []).map((finding) => formatFinding(body, finding)).join("\n");
}

it("shows the line, a caret under the place, and the hint", () => {
  expect(format("Hi\n  {{uper name}} there\n")).toBe(
    [
      "2:5 There is no helper `uper`.",
      "  2 |   {{uper name}} there",
      "    |     ^^^^",
      "  hint: Did you mean upper?",
    ].join("\n"),
  );
});

it("keeps the caret in place after tabs, wide letters and marks", () => {
  const caretColumn = (body: string): number => format(body).split("\n")[2]?.indexOf("^") ?? -1;
  const plain = caretColumn("{{uper x}}");
  expect(caretColumn("\t{{uper x}}")).toBe(plain + 4);
  expect(caretColumn("ab\t{{uper x}}")).toBe(plain + 4);
  expect(caretColumn("漢字😀{{uper x}}")).toBe(plain + 6);
  expect(caretColumn("e\u0301{{uper x}}")).toBe(plain + 1);
});

it("shows a long line around the place", () => {
  const [, line = "", caret = ""] = format(`${"a".repeat(500)}{{uper x}}${"b".repeat(500)}`).split("\n");
  expect(line.length).toBeLessThan(120);
  expect(line.slice(caret.indexOf("^"), caret.lastIndexOf("^") + 1)).toBe("uper");
});

it("marks to the end of the first line what goes over lines", () => {
  expect(format("{{#items\n}}x{{/items}}").split("\n")[1]).toBe("  1 | {{#items");
  expect(format("{{#if a}}\n").split("\n").slice(1, 3)).toEqual(["  1 | {{#if a}}", "    | ^^"]);
});

it("lets no control character through to the terminal", () => {
  const shown = format("\u001b[31m\u202e{{uper\u0007 x}}");
  for (const control of ["\u001b", "\u202e", "\u0007"]) expect(shown).not.toContain(control);
});

it("shows no line for a finding in a partial", () => {
  const finding = {
    code: "x",
    message: "Bad.",
    line: 1,
    column: 2,
    endLine: 1,
    endColumn: 3,
    partial: "a/b",
  };
  expect(formatFinding("body", finding)).toBe("a/b:1:2 Bad.");
});

it("shows the context that makes the template fail, and where it fails if not there", () => {
  const place = { line: 1, column: 3, endLine: 1, endColumn: 4 };
  const fails = { code: "render_failed" as const, message: "It is null.", line: 1, column: 3 };
  const finding = {
    code: "null_printed",
    message: "May be null.",
    ...place,
    witness: { context: { a: null }, variant: "V", fails },
  };
  expect(formatFinding("{{a}}", finding)).toMatch(
    /\n  with \("V"\) \{"a":null\}\n  render_failed: It is null\.$/,
  );
  const elsewhere = {
    ...finding,
    witness: { ...finding.witness, fails: { ...fails, line: 7, partial: "p" } },
  };
  expect(formatFinding("{{a}}", elsewhere)).toMatch(/render_failed already at p:7:3: It is null\.$/);
  expect(formatFinding("{{a}}", { ...finding, witness: null })).toMatch(
    /no context was found that makes it fail$/,
  );
});
