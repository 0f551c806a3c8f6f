// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import { linkTemplate, parseTemplate } from "@incipit/templates";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { activated, added } from "../../testing/records.ts";
import { activate, add } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";
import type { View } from "./facts.ts";
import { checkIncludes } from "./includes.ts";

const partial = { kind: "partial" as const };
const asPartial = { settings: partial };

describe("at add", () => {
  test("a partial that nobody has added is named with its place", () => {
    const problem = given()
      .when(add("a", "Hi\n {{> p/q}}"))
      .thenRefused("check_failed", /no template p\/q/);
    expect(problem.findings).toMatchObject([{ code: "unknown_partial", line: 2, column: 6 }]);
  });

  test("a partial that is only stored will do", () => {
    given(added("p", 1, "x", partial))
      .when(add("a", "{{> p}}"))
      .thenAppends(added("a", 1, "{{> p}}"));
  });

  test("what is not of kind partial cannot be included", () => {
    const problem = given(added("p", 1, "x"))
      .when(add("a", "{{> p}}"))
      .thenRefused("check_failed", /kind prompt/);
    expect(problem.findings).toMatchObject([{ code: "not_a_partial" }]);
  });

  test("a template that includes itself is a cycle", () => {
    const problem = given()
      .when(add("a", "{{> a}}", asPartial))
      .thenRefused("check_failed", /a → a is a cycle/);
    expect(problem.findings).toMatchObject([{ code: "partial_cycle", line: 1 }]);
  });

  test("a longer cycle is told with its path, where it closes", () => {
    const problem = given(
      added("a", 1, "{{> b}}", partial),
      added("b", 1, "x\n{{> c}}", partial),
      added("c", 1, "z", partial),
    )
      .when(add("c", "{{> a}}", asPartial))
      .thenRefused("check_failed", /c → a → b → c is a cycle/);
    expect(problem.findings).toMatchObject([{ code: "partial_cycle", partial: "b", line: 2 }]);
  });

  test("partials resolve to what production points at before the newest", () => {
    given(added("p", 1, "x", partial), activated("p", 1), added("p", 2, "{{> gone}}", partial))
      .when(add("a", "{{> p}}"))
      .thenAppends(added("a", 1, "{{> p}}"));
  });

  test("a partial shared by two branches is no cycle", () => {
    given(added("d", 1, "x", partial), added("b", 1, "{{> d}}", partial), added("c", 1, "{{> d}}", partial))
      .when(add("a", "{{> b}}{{> c}}{{> d}}"))
      .thenAppends(added("a", 1, "{{> b}}{{> c}}{{> d}}"));
  });

  test("includes may lie 32 deep and no deeper", () => {
    const chain = Array.from({ length: 32 }, (_, i) =>
      added(`p${i}`, 1, i === 0 ? "x" : `{{> p${i - 1}}}`, partial),
    );
    given(...chain)
      .when(add("a", "{{> p31}}"))
      .thenAppends(added("a", 1, "{{> p31}}"));
    const problem = given(...chain, added("p32", 1, "{{> p31}}", partial))
      .when(add("a", "{{> p32}}"))
      .thenRefused("limit_exceeded");
    expect(problem.findings).toMatchObject([{ code: "include_depth", line: 1 }]);
  });

  test("one cache breakpoint may come, and not in a loop", () => {
    const holds = added("p", 1, "{{cacheBreakpoint}}", partial);
    given(holds)
      .when(add("a", "{{> p}}"))
      .thenAppends(added("a", 1, "{{> p}}"));
    for (const body of ["{{cacheBreakpoint}}{{> p}}", "{{> p}}{{> p}}", "{{#each x}}{{> p}}{{/each}}"])
      given(holds)
        .when(add("a", body))
        .thenRefused("check_failed", /cache breakpoint/);
  });
});

test("what passes here links in a renderer, and what does not, does not", () => {
  const names = ["a", "b", "c", "d", "e"];
  const piece = fc.oneof(
    fc.constantFrom(...names, "gone").map((key) => `{{> ${key}}}`),
    fc.constantFrom("text", "{{cacheBreakpoint}}", "{{#each x}}{{> b}}{{/each}}"),
  );
  const bodies = fc.record(Object.fromEntries(names.map((key) => [key, fc.array(piece, { maxLength: 3 })])));
  fc.assert(
    fc.property(bodies, (pieces) => {
      const body = (key: string) => pieces[key]?.join(" ") ?? "";
      const parsed = (key: string) => parseTemplate(body(key), "handlebars");
      const partials = new Map(
        names
          .filter((key) => parsed(key).ok)
          .map((key) => [
            key,
            { key, version: 1, kind: "partial", parsed: parsed(key), contract: null, source: null } as const,
          ]),
      );
      const root = parsed("a");
      if (!root.ok) return;
      const view: View = { scope: "served", label: "production", partials };
      const found = checkIncludes("a", root.value, view);
      const linked = linkTemplate("a", root.value, (key) => {
        const partial = parsed(key);
        return partials.has(key) && partial.ok ? { key, version: 1, parsed: partial.value } : undefined;
      });
      expect({ passes: found.length === 0, found }).toEqual({ passes: linked.ok, found });
    }),
    { numRuns: 500 },
  );
});

describe("at activate", () => {
  test("everything it reaches must be live under the label, under production, or as a seed", () => {
    const history = [
      added("seeded", 0, "x", partial),
      added("live", 1, "x", partial),
      activated("live", 1),
      added("staged", 1, "x", partial),
      activated("staged", 1, "staging"),
      added("a", 1, "{{> seeded}}{{> live}}{{> staged}}"),
    ];
    given(...history)
      .when(activate("a", 1, "staging"))
      .thenAppends(activated("a", 1, "staging"));
    const problem = given(...history)
      .when(activate("a", 1))
      .thenRefused("check_failed", /Nothing of staged/);
    expect(problem.findings).toHaveLength(1);
  });

  test("what lies below a partial counts too, and is named with the partial it lies in", () => {
    const problem = given(
      added("deep", 1, "x", partial),
      added("p", 1, "\n{{> deep}}", partial),
      activated("p", 1),
      added("a", 1, "{{> p}}"),
    )
      .when(activate("a", 1))
      .thenRefused("check_failed", /Nothing of deep is active under production/);
    expect(problem.findings).toMatchObject([{ code: "unknown_partial", partial: "p", line: 2 }]);
  });

  test("a version that closes a cycle with what is active is refused", () => {
    given(
      added("p", 1, "x", partial),
      added("q", 1, "{{> p}}", partial),
      added("q", 2, "x", partial),
      activated("q", 2),
      added("p", 2, "{{> q}}", partial),
      activated("p", 2),
    )
      .when(activate("q", 1))
      .thenRefused("check_failed", /q → p → q is a cycle/);
  });

  test("so is one that closes a cycle under a label that falls back to production", () => {
    given(
      added("p", 1, "x", partial),
      activated("p", 1),
      added("q", 1, "plain", partial),
      activated("q", 1),
      added("q", 2, "{{> p}}", partial),
      activated("q", 2, "staging"),
      added("p", 2, "{{> q}}", partial),
    )
      .when(activate("p", 2))
      .thenRefused("check_failed", /q@2 would break under staging \(q → p\).* q → p → q is a cycle/);
  });
});
