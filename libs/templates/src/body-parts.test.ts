import { LIMITS } from "@incipit/schema";
import { expect, it } from "vitest";
import { parseTemplate } from "./parse-template.ts";

it.each([
  ["tags", "{{a}}", "", "", 2],
  ["comments", "{{!}}", "", "", 1],
  ["escaped tags", "\\{{ ", "", "", 1],
  ["arguments", "a ", "{{and ", "}}", 1],
  ["calls", "(not a) ", "{{and ", "}}", 3],
  ["names of a path", "a.", "{{", "a}}", 1],
  ["steps up", "../", "{{", "a}}", 1],
  ["includes", "{{>a}}", "", "", 2],
  ["unknown helpers", "{{zz x}}", "", "", 3],
])(
  "more parts than the limit are refused before the parser sees them: %s",
  (_, piece, open, close, parts) => {
    const most = Math.floor((LIMITS.bodyParts - (open === "" ? 0 : 3)) / parts);
    const body = (count: number): string => open + piece.repeat(count) + close;
    expect(parseTemplate(body(most + 4), "handlebars")).toMatchObject({
      problem: { code: "limit_exceeded", line: 1, message: expect.stringContaining('"bodyParts"') },
    });
    const within = parseTemplate(body(most), "handlebars");
    expect(within.ok ? "ok" : within.problem.code).not.toBe("limit_exceeded");
  },
);

it("more slots than the limit are refused", () => {
  expect(parseTemplate("{a}".repeat(LIMITS.bodyParts), "slots").ok).toBe(true);
  expect(parseTemplate("{a}".repeat(LIMITS.bodyParts + 1), "slots")).toMatchObject({
    problem: { code: "limit_exceeded", line: 1, column: 3 * LIMITS.bodyParts + 1 },
  });
});

it("a body with more findings than are shown is not read to its end", () => {
  const parsed = parseTemplate("{{x y}}\n".repeat(5_000), "handlebars");
  expect(parsed).toMatchObject({
    problem: { code: "check_failed", line: 1, message: expect.stringContaining("(and at least 200 more)") },
  });
  expect(parsed.ok ? 0 : parsed.problem.findings?.length).toBe(200);
});
