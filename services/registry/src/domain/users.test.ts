// oxlint-disable vitest/expect-expect -- every step of a scenario that begins with "then" asserts
import type { PromptEvent } from "@incipit/events";
import { LIMITS } from "@incipit/schema";
import { linkTemplate, parseTemplate } from "@incipit/templates";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { activated, added, deactivated } from "../../testing/records.ts";
import { activate, add, deactivate } from "../../testing/requests.ts";
import { given } from "../../testing/scenario.ts";

const partial = { kind: "partial" as const };
const live = (key: string, body: string, settings = {}, label = "production"): PromptEvent[] => [
  added(key, 1, body, settings),
  activated(key, 1, label),
];
const loop = "{{#each xs}}{{> p}}{{/each}}";
const breakpoint = "x{{cacheBreakpoint}}";

describe("a partial that would break active templates", () => {
  const history = [...live("p", "x", partial), ...live("t", loop), ...live("u", "{{> p}}{{> p}}")];

  test("is refused at activate, and each of them is named with its path and place", () => {
    const problem = given(...history, added("p", 2, breakpoint, partial))
      .when(activate("p", 2))
      .thenRefused("check_failed", /would break: t, u\./);
    expect(problem.key).toBe("p");
    expect(problem.findings).toMatchObject([
      {
        code: "breakpoint_misplaced",
        partial: "t",
        line: 1,
        column: 13,
        message: expect.stringMatching(/^t@1 would break under production \(t → p\): .*loop/),
      },
      { code: "breakpoint_misplaced", partial: "u", message: expect.stringMatching(/^u@1 /) },
    ]);
  });

  test("is refused at add with activate, and can be stored without", () => {
    const scenario = given(...history);
    scenario.when(add("p", breakpoint, { activate: "production" })).thenRefused("check_failed", /t, u/);
    scenario.when(add("p", breakpoint)).thenAppends(added("p", 2, breakpoint, partial));
  });

  test("is refused where only its activation is still missing", () => {
    given(added("p", 1, "x", partial), ...live("t", "{{> p}}").slice(0, 1))
      .and(activated("p", 1))
      .and(activated("t", 1))
      .when(add("p", breakpoint, { activate: "production", commandId: "c" }))
      .stored(1)
      .and(added("t", 2, loop))
      .and(activated("t", 2, "production", 1))
      .when(add("p", breakpoint, { activate: "production", commandId: "c" }))
      .thenRefused("check_failed", /t@2 would break/);
  });

  test("is refused where it breaks them through others, also the ones above", () => {
    const problem = given(
      ...live("p", "x", partial),
      ...live("q", "{{> p}}", partial),
      ...live("t", "{{#each xs}}{{> q}}{{/each}}"),
      added("p", 2, breakpoint, partial),
    )
      .when(activate("p", 2))
      .thenRefused("check_failed");
    expect(problem.findings).toMatchObject([
      { partial: "t", message: expect.stringContaining("(t → q → p)") },
    ]);
  });

  test("is refused where the chain above it would become too deep", () => {
    const chain = Array.from({ length: LIMITS.includeDepth }, (_, i) =>
      live(`p${i}`, i === 0 ? "x" : `{{> p${i - 1}}}`, i === LIMITS.includeDepth ? {} : partial),
    ).flat();
    const top = live("t", `{{> p${LIMITS.includeDepth - 1}}}`);
    const problem = given(
      ...chain,
      ...top,
      ...live("deeper", "y", partial),
      added("p0", 2, "{{> deeper}}", partial),
    )
      .when(activate("p0", 2))
      .thenRefused("check_failed", /t@1 would break/);
    expect(problem.findings).toMatchObject([{ code: "include_depth", partial: "t" }]);
  });

  test("is refused under production for what is active under a label that falls back to it", () => {
    const staged = [...live("p", "x", partial), ...live("t", loop, {}, "staging")];
    given(...staged, added("p", 2, breakpoint, partial))
      .when(activate("p", 2))
      .thenRefused("check_failed", /t@1 would break under staging/);
    given(...staged, activated("p", 1, "staging"), added("p", 2, breakpoint, partial))
      .when(activate("p", 2))
      .thenAppends(activated("p", 2, "production", 1));
  });

  test("is taken under a label that none of them follows", () => {
    given(...history, added("p", 2, breakpoint, partial))
      .when(activate("p", 2, "staging"))
      .thenAppends(activated("p", 2, "staging"));
  });

  test("is taken where they include it only in versions that are not active", () => {
    given(...live("p", "x", partial), added("t", 1, loop), added("t", 2, "{{> p}}"), activated("t", 2))
      .when(add("p", breakpoint, { activate: "production" }))
      .thenAppends(added("p", 2, breakpoint, partial), activated("p", 2, "production", 1));
  });

  test("is refused for a seed that nothing active stands before", () => {
    const seeded = [added("p", 0, "x", partial), added("t", 0, loop)];
    const command = add("p", breakpoint, { activate: "production" });
    given(...seeded)
      .when(command)
      .thenRefused("check_failed", /t@0 would break/);
    given(...seeded, ...live("t", "plain"))
      .when(command)
      .thenAppends(added("p", 1, breakpoint, partial), activated("p", 1));
  });

  test("is taken where they are broken already, so that it can mend them", () => {
    const broken = [
      ...live("p", "x", partial),
      ...live("q", "x", partial),
      ...live("t", "{{> p}}{{> q}}"),
      deactivated("p", 1),
      deactivated("q", 1),
    ];
    given(...broken)
      .when(activate("p", 1))
      .thenAppends(activated("p", 1));
  });
});

describe("a partial that active templates include", () => {
  test("is not taken from them: deactivating it names them", () => {
    const problem = given(...live("p", "x", partial), ...live("t", "{{> p}}"), ...live("u", "{{> p}}"))
      .when(deactivate("p"))
      .thenRefused("check_failed", /would break: t, u\./);
    expect(problem.findings).toMatchObject([
      { code: "unknown_partial", partial: "t", message: expect.stringMatching(/nothing of p would be left/) },
      { code: "unknown_partial", partial: "u" },
    ]);
  });

  test("can be deactivated where its seed takes its place, and not where the seed would break them", () => {
    given(added("p", 0, "x", partial), ...live("p", "y", partial), ...live("t", loop))
      .when(deactivate("p"))
      .thenAppends(deactivated("p", 1));
    const problem = given(added("p", 0, breakpoint, partial), ...live("p", "y", partial), ...live("t", loop));
    problem.when(deactivate("p")).thenRefused("check_failed", /loop/);
    problem.when(activate("p", 0)).thenRefused("check_failed", /loop/);
  });

  test("can be deactivated under a label where production takes its place, and not where there is none", () => {
    const staged = [
      added("p", 1, "x", partial),
      activated("p", 1, "staging"),
      ...live("t", "{{> p}}", {}, "staging"),
    ];
    given(...staged)
      .when(deactivate("p", "staging"))
      .thenRefused("check_failed", /t@1 would break under staging/);
    given(...staged, activated("p", 1))
      .when(deactivate("p", "staging"))
      .thenAppends(deactivated("p", 1, "staging"));
    given(...staged, activated("p", 1))
      .when(deactivate("p"))
      .thenAppends(deactivated("p", 1));
  });

  test("can be deactivated once they are", () => {
    given(...live("p", "x", partial), ...live("t", "{{> p}}"), deactivated("t", 1))
      .when(deactivate("p"))
      .thenAppends(deactivated("p", 1));
  });
});

test("whatever is activated and deactivated, what is active links", () => {
  const keys = ["p", "q", "r", "t"];
  const piece = fc.oneof(
    fc.constantFrom("p", "q", "r").map((key) => `{{> ${key}}}`),
    fc.constantFrom("text", "{{cacheBreakpoint}}", "{{#each x}}{{> p}}{{/each}}"),
  );
  const step = fc.oneof(
    fc.record({
      key: fc.constantFrom(...keys),
      body: fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join(" ")),
      label: fc.constantFrom("production", "staging"),
    }),
    fc.record({
      key: fc.constantFrom(...keys),
      body: fc.constant(null),
      label: fc.constantFrom("production", "staging"),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => {
      const scenario = given();
      const active = new Map<string, string>();
      for (const { key, body, label } of steps) {
        const kind = key === "t" ? ("prompt" as const) : ("partial" as const);
        const command =
          body === null ? deactivate(key, label) : add(key, body, { settings: { kind }, activate: label });
        if (!scenario.when(command).storedIfAny()) continue;
        if (body === null) active.delete(`${label} ${key}`);
        else active.set(`${label} ${key}`, body);
        for (const [at, text] of active) {
          const [under = "", name = ""] = at.split(" ");
          const parsed = parseTemplate(text, "handlebars");
          if (!parsed.ok) throw new Error("what is active parses");
          const linked = linkTemplate(name, parsed.value, (include) => {
            const found = active.get(`${under} ${include}`) ?? active.get(`production ${include}`);
            const read = found === undefined ? undefined : parseTemplate(found, "handlebars");
            return read?.ok === true ? { key: include, version: 1, parsed: read.value } : undefined;
          });
          expect({ at, text, linked: linked.ok }).toEqual({ at, text, linked: true });
        }
      }
    }),
    { numRuns: 300 },
  );
});
