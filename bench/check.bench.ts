import { parseContract, type Contract } from "@incipit/schema";
import { checkTemplate, linkTemplate, parseTemplate, type LinkedTemplate } from "@incipit/templates";
import { expect, it } from "vitest";

/** Rounds of a measurement; the median counts. */
const ROUNDS = 60;

const field = (type: object) => ({ description: "d", ...type });
const text = field({ type: "string" });

/** 80 fields in three variants. */
function contract(): Contract {
  const shared = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`s${i}`, text]));
  const person = { type: "object", required: ["name"], properties: { name: text, about: text, email: text } };
  const variants = ["task", "talk", "idle"].map((name) => ({
    type: "object",
    title: name,
    required: [...Object.keys(shared), name, "people"],
    properties: {
      ...shared,
      people: field({ type: "array", items: person }),
      [name]: field({
        type: "object",
        required: ["id"],
        properties: Object.fromEntries([
          ["id", text],
          ...Array.from({ length: 17 }, (_, i) => [`f${i}`, text]),
        ]),
      }),
    },
  }));
  const parsed = parseContract("c", { anyOf: variants });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

/** A template of about so many bytes, a placeholder for each 65. */
function body(bytes: number): string {
  let out = "";
  for (let i = 0; out.length < bytes; i++) {
    const f = i % 17;
    out += [
      `Some words of a prompt that stand here, then {{s${i % 25}}} and more.\n`,
      `{{#if task}}The task {{task.id}}{{#if task.f${f}}}: {{task.f${f}}}{{/if}}{{else}}no task{{/if}} is what counts.\n`,
      `{{#each people as |p|}}- {{p.name}}{{#if p.about}} ({{p.about}}){{/if}}\n{{/each}}It goes on.\n`,
      `{{#if (and talk (eq s${i % 25} "x"))}}{{talk.id}}{{/if}} {{upper s${(i + 1) % 25}}} with {{default s1 "y"}}\n`,
    ][i % 4];
  }
  return out;
}

function link(source: string): LinkedTemplate {
  const parsed = parseTemplate(source, "handlebars");
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const linked = linkTemplate("t", parsed.value, () => undefined);
  if (!linked.ok) throw new Error(linked.problem.message);
  return linked.value;
}

/** Median and longest, in milliseconds. */
function measure(run: () => void): { median: number; longest: number } {
  for (let i = 0; i < 5; i++) run();
  const times = Array.from({ length: ROUNDS }, () => {
    const since = performance.now();
    run();
    return performance.now() - since;
  }).toSorted((a, b) => a - b);
  return { median: times[ROUNDS >> 1] ?? 0, longest: times.at(-1) ?? 0 };
}

it("checks in time that grows with the template", () => {
  const by = contract();
  const rows = [4_000, 8_000, 16_000, 32_000, 64_000, 128_000].map((bytes) => {
    const linked = link(body(bytes));
    expect(checkTemplate(linked, by).findings).toEqual([]);
    return { bytes, ...measure(() => void checkTemplate(linked, by)) };
  });
  rows.forEach(({ bytes, median, longest }, i) => {
    const before = rows[i - 1];
    const ratio =
      before === undefined ? "" : `, ${(median / before.median).toFixed(2)} times that of half the size`;
    console.log(`check ${bytes} B: median ${median.toFixed(2)} ms, longest ${longest.toFixed(2)} ms${ratio}`);
  });
  expect(rows[0]?.median).toBeLessThan(5);
  expect(rows[4]?.median).toBeLessThan(100);
});

it("finds a witness", () => {
  const by = contract();
  const faults = [
    "{{task.f1}}",
    "{{s99}}",
    "{{#if task}}{{task.f1}}{{/if}}",
    "{{#each people as |p|}}{{p.email}}{{/each}}",
    "{{#each people}}{{@root.talk.id}}{{/each}}",
    "{{upper task.f3}}",
    "{{#if talk}}{{else}}{{talk.id}}{{/if}}",
    "{{people}}",
  ];
  for (const fault of faults) {
    const linked = link(`${body(4_000)}${fault}`);
    const { findings } = checkTemplate(linked, by);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ witness }) => witness !== null)).toBe(true);
    const all = measure(() => void checkTemplate(linked, by));
    const bare = measure(() => void checkTemplate(linked, by, { witnesses: false }));
    console.log(
      `${fault}: with the witness median ${all.median.toFixed(2)} ms, longest ${all.longest.toFixed(2)} ms; without ${bare.median.toFixed(2)} ms`,
    );
    expect(all.median).toBeLessThan(50);
    expect(all.longest).toBeLessThan(500);
  }
  const many = link(body(4_000) + faults.join("\n").repeat(20));
  const worst = measure(() => void checkTemplate(many, by));
  console.log(`160 findings: median ${worst.median.toFixed(2)} ms, longest ${worst.longest.toFixed(2)} ms`);
  expect(worst.longest).toBeLessThan(500);
});
