import { LIMITS, type Result, utf8Length } from "@incipit/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type LinkedTemplate, linkTemplate } from "./link-template.ts";
import { parseTemplate } from "./parse-template.ts";
import { render, type RenderedText } from "./render.ts";
import { createFrame, type State } from "./run-state.ts";
import { WORST_PARTIALS, WORST_RENDERS } from "../testing/worst-renders.ts";

function parse(body: string) {
  const parsed = parseTemplate(body, "handlebars");
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

const link = (body: string, partials = WORST_PARTIALS): Result<LinkedTemplate> =>
  linkTemplate("root", parse(body), (key) => ({ key, version: 1, parsed: parse(partials[key] ?? "") }));

function run(body: string, context: Readonly<Record<string, unknown>>): Result<RenderedText> {
  const linked = link(body);
  return linked.ok ? render(linked.value, context) : linked;
}

it.each(WORST_RENDERS)("its steps stop it: $name", ({ body, context }) => {
  expect(utf8Length(JSON.stringify(context))).toBeLessThanOrEqual(LIMITS.contextBytes);
  expect(run(body, context)).toMatchObject({ ok: false, problem: { code: "limit_exceeded" } });
});

it("whatever a text is made of, a helper that goes through it pays for it", () => {
  const unit = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
    fc.constantFrom("\n", "\r", "\u2028", "\ud800", "\udc00", "\u0390", '"', "\0", "é", "中", "😀"),
  );
  const calls = fc.constantFrom(
    "upper t",
    "lower t",
    "trim t",
    "json t",
    "indent t 0",
    "json r",
    "join list",
  );
  fc.assert(
    fc.property(unit, calls, (piece, written) => {
      const t = piece.repeat(Math.floor(80_000 / piece.length));
      const once = `{{#if (${written})}}{{/if}}`;
      const context = { t, r: { [t]: 0 }, list: [t], thousand: Array.from({ length: 1_000 }, () => ({ t })) };
      // A step is 128 units at most, so that a thousand such texts are too much.
      const each = `{{#each thousand}}{{#with @root}}${once}{{/with}}{{/each}}`;
      expect(run(once, context).ok).toBe(true);
      expect(run(each, context)).toMatchObject({ ok: false, problem: { code: "limit_exceeded" } });
    }),
    { numRuns: 100 },
  );
});

it("a usual prompt of 64 KB with 80 partials takes less than a tenth of the steps", () => {
  const names = Array.from({ length: 80 }, (_, i) => `part${i}`);
  const partials = Object.fromEntries(
    names.map((name, i) => [
      name,
      `## {{upper title}}\n${"Answer in a friendly voice, and keep it short. ".repeat(10)}\n` +
        `{{#each @root.tasks}}{{#if (eq kind "b")}}- {{title}}: {{trim note}}\n{{/if}}{{/each}}{{indent @root.doc 2}}` +
        (i % 20 === 0 ? "{{json @root.tasks 2}}" : ""),
    ]),
  );
  const line = "You are given what a person wrote, and {{user.name}} waits for the answer about {{topic}}.\n";
  const body =
    line.repeat(Math.floor(61_000 / line.length)) +
    names.map((name, i) => `{{> ${name} title="Part ${i}" n=${i}}}\n`).join("");
  expect(body.length).toBeGreaterThan(62_000);
  const context = {
    user: { name: "Ada" },
    topic: "loops",
    doc: "A line of a document that is quoted.\n".repeat(20),
    tasks: Array.from({ length: 10 }, (_, i) => ({
      kind: i % 2 === 0 ? "a" : "b",
      title: `Task ${i}`,
      note: ` look at ${i} `,
    })),
    ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field${i}`, i])),
  };
  const linked = link(body, partials);
  if (!linked.ok) throw new Error(linked.problem.message);
  const state: State = {
    text: "",
    steps: 0,
    root: context,
    names: new Map(),
    unit: linked.value.root,
    call: null,
    breakpoint: null,
  };
  linked.value.root.run(state, createFrame(context, null));
  expect(utf8Length(state.text)).toBeGreaterThan(128 * 1024);
  expect(state.steps).toBeLessThan(LIMITS.steps / 10);
});
