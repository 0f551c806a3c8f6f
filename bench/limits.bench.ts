import { LIMITS } from "@incipit/schema";
import { linkTemplate, parseTemplate, render } from "@incipit/templates";
import { expect, it } from "vitest";
import { WORST_PARTIALS, WORST_RENDERS } from "../libs/templates/testing/worst-renders.ts";

const LONGEST_MS = 250;
const ROUNDS = 5;

const parse = (body: string) => {
  const parsed = parseTemplate(body, "handlebars");
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
};

it(`no render takes more than ${LONGEST_MS} ms to its limit`, () => {
  const took = WORST_RENDERS.map(({ name, body, context }) => {
    const linked = linkTemplate("worst", parse(body), (key) => ({
      key,
      version: 1,
      parsed: parse(WORST_PARTIALS[key] ?? ""),
    }));
    if (!linked.ok) throw new Error(linked.problem.message);
    const json = JSON.stringify(context);
    expect(Buffer.byteLength(json), name).toBeLessThanOrEqual(LIMITS.contextBytes);
    // From JSON, as a renderer has it; and the best of some rounds, since the machine is not ours alone.
    const data = JSON.parse(json) as Record<string, unknown>;
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      const result = render(linked.value, data);
      best = Math.min(best, performance.now() - started);
      expect(result, name).toMatchObject({ ok: false, problem: { code: "limit_exceeded" } });
    }
    return { name, ms: best };
  });
  const slowest = took.toSorted((a, b) => b.ms - a.ms);
  for (const { name, ms } of slowest.slice(0, 5)) console.log(`${name}: ${ms.toFixed(0)} ms to the limit`);
  expect(slowest[0]?.ms).toBeLessThan(LONGEST_MS);
});
