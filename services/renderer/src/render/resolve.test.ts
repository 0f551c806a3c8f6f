import { describe, expect, it } from "vitest";
import { NO_POINTERS, withActive, withSeed, type KeyPointers, type PointerView } from "./pointer-view.ts";
import type { Wanted } from "./request.ts";
import { resolveRender, type BodyFacts, type BodyLookup } from "./resolve.ts";
import { versionId } from "./version.ts";

/** Pointers from a line per key: `a: production=3 staging=4 seed@7 canary=-`. */
function pointers(...lines: string[]): PointerView {
  const byKey = new Map<string, KeyPointers>();
  for (const line of lines) {
    const [key = "", rest = ""] = line.split(": ");
    let known = NO_POINTERS;
    for (const word of rest.split(" ")) {
      const [label = "", version] = word.split("=");
      if (label.startsWith("seed@"))
        known = withSeed(known, { version: 0, seq: Number(label.slice(5)), trace: null });
      else {
        const pointer = { version: version === "-" ? null : Number(version), seq: 1, trace: null };
        known = withActive(known, label, pointer);
      }
    }
    byKey.set(key, known);
  }
  return { of: (key) => byKey.get(key) };
}

const wanted = (change: Partial<Wanted> = {}): Wanted => ({
  key: "a",
  fallbackKeys: [],
  version: null,
  label: "production",
  pins: new Map(),
  ...change,
});

const prompt: BodyFacts = { kind: "prompt", partials: [], fault: null };
const everything: BodyLookup = () => prompt;
const including =
  (includes: Record<string, string[]>): BodyLookup =>
  ({ key }) => ({ ...prompt, partials: includes[key] ?? [] });

/** What a resolution came to, in a word or two. */
function outcome(want: Wanted, view: PointerView, bodyOf: BodyLookup = everything): string {
  const resolution = resolveRender(want, view, bodyOf);
  switch (resolution.status) {
    case "resolved":
      return [resolution.root, ...resolution.partials].map(versionId).join(" ");
    case "missing":
      return `missing ${resolution.refs.map(versionId).join(" ")}`;
    case "unknown":
      return `unknown ${resolution.absent.key}`;
    case "refused":
      return resolution.problem.code;
  }
}

describe("the key", () => {
  it("is the one asked for, where it exists", () => {
    expect(outcome(wanted({ fallbackKeys: ["b"] }), pointers("a: production=1", "b: production=2"))).toBe(
      "a@1",
    );
    expect(outcome(wanted({ fallbackKeys: ["b"] }), pointers("a: seed@5", "b: production=2"))).toBe("a@0#5");
  });

  it("is the first fallback that exists, otherwise", () => {
    const view = pointers("b: production=-", "c: production=2", "d: production=3");
    expect(outcome(wanted({ fallbackKeys: ["b", "c", "d"] }), view)).toBe("c@2");
  });

  it("is final: the winner's failure is the request's", () => {
    const view = pointers("a: production=1", "b: production=2");
    const request = wanted({ label: "staging", fallbackKeys: ["b"] });
    expect(outcome(request, view)).toBe("not_active");
    expect(
      outcome(wanted({ fallbackKeys: ["b"] }), view, ({ key }) => (key === "a" ? "absent" : prompt)),
    ).toBe("version_not_found");
  });

  it("does not exist for production's callers because something is tried out under another label", () => {
    const view = pointers("a: staging=1", "b: production=2");
    expect(outcome(wanted({ fallbackKeys: ["b"] }), view)).toBe("b@2");
    expect(outcome(wanted({ label: "staging", fallbackKeys: ["b"] }), view)).toBe("a@1");
  });

  it("exists where it is pinned", () => {
    const request = wanted({ pins: new Map([["a", 4]]), fallbackKeys: ["b"] });
    expect(outcome(request, pointers("b: production=2"))).toBe("a@4");
  });
});

describe("the version", () => {
  const view = pointers("a: production=1 staging=4 canary=- seed@7");

  it.each([
    ["a pin before everything", { pins: new Map([["a", 9]]), version: 3 }, "a@9"],
    ["the number asked for", { version: 3 }, "a@3"],
    ["the seed by its number", { version: 0 }, "a@0#7"],
    ["the label's", { label: "staging" }, "a@4"],
    ["production's by default", {}, "a@1"],
    ["never the seed under another label", { label: "canary" }, "not_active"],
    ["none under a label that was never moved", { label: "other" }, "not_active"],
  ])("is %s", (_, change, expected) => {
    expect(outcome(wanted(change), view)).toBe(expected);
  });

  it("is the seed under production where nothing is active", () => {
    expect(outcome(wanted(), pointers("a: production=- seed@7"))).toBe("a@0#7");
  });

  it("is none where there is neither, and only the log can say of a key never heard of", () => {
    expect(outcome(wanted(), pointers("a: production=-"))).toBe("not_active");
    expect(outcome(wanted(), pointers())).toBe("unknown a");
    expect(outcome(wanted({ version: 3 }), pointers(), () => "absent")).toBe("unknown a");
    expect(outcome(wanted({ version: 0 }), pointers("a: production=1"))).toBe("version_not_found");
  });
});

describe("what is included", () => {
  const bodies = including({ a: ["p"], p: ["q"] });

  it("follows a pin, the same label, production, the seed, in this order", () => {
    const staging = (q: string, pins = new Map<string, number>()) =>
      outcome(
        wanted({ label: "staging", pins }),
        pointers("a: staging=1", "p: production=2", `q: ${q}`),
        bodies,
      );
    expect(staging("production=3 staging=4 seed@5")).toBe("a@1 p@2 q@4");
    expect(staging("production=3 staging=- seed@5")).toBe("a@1 p@2 q@3");
    expect(staging("staging=- seed@5")).toBe("a@1 p@2 q@0#5");
    expect(staging("staging=4", new Map([["q", 1]]))).toBe("a@1 p@2 q@1");
    expect(staging("staging=-")).toBe("not_active");
  });

  it("follows production where the template was asked for by number", () => {
    const view = pointers("p: production=2 staging=3", "q: seed@5");
    expect(outcome(wanted({ version: 8 }), view, bodies)).toBe("a@8 p@2 q@0#5");
  });

  it("is named in the refusal with the template that includes it", () => {
    const view = pointers("a: production=1", "p: production=2", "q: production=-");
    const resolution = resolveRender(wanted(), view, bodies);
    expect(resolution).toMatchObject({
      status: "refused",
      problem: { code: "not_active", key: "p", version: 2, partial: "q" },
    });
  });

  it("has one version within one render, and a circle ends", () => {
    const view = pointers("a: production=1", "p: production=2", "q: production=3");
    const circle = including({ a: ["p", "q"], p: ["q"], q: ["a", "p"] });
    expect(outcome(wanted({ version: 7 }), view, circle)).toBe("a@7 p@2 q@3");
  });

  it("is asked for all at once where it is not in memory", () => {
    const view = pointers("a: production=1", "p: production=2", "q: production=3");
    const known = including({ a: ["p", "q"] });
    expect(outcome(wanted(), view, (ref) => (ref.key === "a" ? known(ref) : undefined))).toBe(
      "missing p@2 q@3",
    );
  });

  it("counts among the keys that have a say, beside every key tried", () => {
    const view = pointers("b: production=1", "p: production=2", "q: production=3");
    const resolution = resolveRender(
      wanted({ fallbackKeys: ["b", "c"] }),
      view,
      including({ b: ["p"], p: ["q"] }),
    );
    expect(resolution).toMatchObject({ keys: new Set(["a", "b", "p", "q"]) });
  });
});

describe("a body", () => {
  const view = pointers("a: production=1", "p: production=2");

  it("of a partial cannot be rendered by itself, nor an assembly at all", () => {
    expect(outcome(wanted(), view, () => ({ ...prompt, kind: "partial" }))).toBe("not_renderable");
    expect(outcome(wanted(), view, () => ({ ...prompt, kind: "assembly" }))).toBe("not_renderable");
  });

  it("that this release cannot read refuses the render and names whose it is", () => {
    const fault = { code: "check_failed" as const, status: 422, message: "no" };
    const broken: BodyLookup = ({ key }) =>
      key === "p" ? { ...prompt, fault } : { ...prompt, partials: ["p"] };
    expect(resolveRender(wanted(), view, broken)).toEqual({
      status: "refused",
      problem: { ...fault, key: "a", version: 1, partial: "p" },
    });
  });
});
