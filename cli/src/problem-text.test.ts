import { problem } from "@incipit/schema";
import { parseTemplate } from "@incipit/templates";
import { describe, expect, it } from "vitest";
import { EXIT } from "./io.ts";
import { exitCodeOf, formatProblem } from "./problem-text.ts";

describe("formatProblem", () => {
  it("shows line, column, source line and caret of what is wrong in a template", () => {
    const body = "Hello {{name}},\n{{#if plan}}\n  {{shout name}}\n{{/if}}\n";
    const parsed = parseTemplate(body, "handlebars");
    if (parsed.ok) throw new Error("must be refused");
    const text = formatProblem(parsed.problem, { name: "a.md", body });
    expect(text).toContain("incipit: check_failed: ");
    expect(text).toContain("a.md:3:5 ");
    expect(text).toContain("  3 |   {{shout name}}\n    |     ^^^^^\n");
  });

  it("shows the place that a problem without findings carries", () => {
    const body = "a\nb {{x}}\n";
    const text = formatProblem(problem("render_failed", "x is null.", { line: 2, column: 5 }), {
      name: "k",
      body,
    });
    expect(text).toContain("k:2:5 x is null.\n  2 | b {{x}}\n    |     ^\n");
  });

  it("shows no source line for a place in the request", () => {
    const refusal = problem("bad_request", "The request is nested too deep.", { line: 1, column: 196 });
    expect(formatProblem(refusal, { name: "y.md", body: "Hello" })).toBe(
      "incipit: bad_request: The request is nested too deep.\n",
    );
  });

  it("names the place where it has no source", () => {
    const finding = { code: "c", message: "No.", line: 2, column: 3, endLine: 2, endColumn: 4, hint: "Do." };
    expect(formatProblem(problem("check_failed", "No.", { findings: [finding] }))).toBe(
      "incipit: check_failed: the template is refused, 1 finding\n2:3 No.\n  hint: Do.\n",
    );
  });

  it("lets no message drive the terminal", () => {
    expect(formatProblem(problem("conflict", "a\u001b[2Jb"))).toContain("a\\x1b[2Jb");
  });
});

describe("the hint of a refusal", () => {
  const inactive = problem("not_active", "Nothing is active.", { key: "shop/mail" });

  it("names the key, and moves no other label than the one asked for", () => {
    expect(formatProblem(inactive)).toContain(": incipit activate shop/mail VERSION. ");
    expect(formatProblem(inactive, undefined, { label: "staging2" })).toContain(
      ": incipit activate shop/mail VERSION --label staging2. `incipit versions shop/mail` lists them.\n",
    );
  });

  it("names the partial where that is what is not active", () => {
    const text = formatProblem({ ...inactive, partial: "_partials/foot" }, undefined, { label: "staging2" });
    expect(text).toContain(": incipit activate _partials/foot VERSION --label staging2.");
  });

  it("speaks of somebody faster only where an expectation does not hold", () => {
    const lost = problem("conflict", "It is version 2.", { key: "a", path: "expectNewest" });
    expect(formatProblem(lost)).toContain("hint: Somebody else was faster: look at `incipit versions a`");
    expect(formatProblem(problem("conflict", "a is a prompt.", { key: "a" }))).not.toContain("hint");
  });
});

describe("the place of a refusal about something stored", () => {
  const unseen = problem("field_missing", "There is no x.", {
    key: "bad/typo",
    version: 1,
    line: 1,
    column: 4,
  });

  it("is shown with its version, with or without the body", () => {
    expect(formatProblem(unseen, { name: "bad/typo@1" })).toContain("\nbad/typo@1:1:4 There is no x.\n");
    expect(formatProblem(unseen, { name: "bad/typo@1", body: "Hi {{x}}" })).toContain(
      "bad/typo@1:1:4 There is no x.\n  1 | Hi {{x}}\n    |    ^\n",
    );
  });

  it("in a partial is shown with the partial's line", () => {
    const text = formatProblem(
      { ...unseen, partial: "_p/a" },
      { name: "bad/typo@1", body: "{{> _p/a}}" },
      {
        partials: new Map([["_p/a", "By {{x}}"]]),
      },
    );
    expect(text).toContain("_p/a:1:4 There is no x.\n  1 | By {{x}}\n    |    ^\n");
  });
});

it("ends with 3 where nobody could answer, else with 1", () => {
  const codes = ["no_responders", "unavailable", "timeout", "not_caught_up", "bad_key", "internal"] as const;
  expect(codes.map((code) => exitCodeOf(problem(code, "")))).toEqual([
    EXIT.unreachable,
    EXIT.unreachable,
    EXIT.unreachable,
    EXIT.refused,
    EXIT.refused,
    EXIT.refused,
  ]);
});
