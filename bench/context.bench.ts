import { createValidator, parseContract, type Json, type JsonObject } from "@incipit/schema";
import { checkTemplate, linkTemplate, parseTemplate, render } from "@incipit/templates";
import { expect, it } from "vitest";

const text = { type: "string", description: "d" };
const names = Array.from({ length: 80 }, (_, i) => `f${i}`);

/** Microseconds of one run, the median of rounds. */
function measure(run: () => void): number {
  const times = Array.from({ length: 200 }, () => {
    const since = performance.now();
    for (let i = 0; i < 50; i++) run();
    return ((performance.now() - since) * 1_000) / 50;
  }).toSorted((a, b) => a - b);
  return times[100] ?? 0;
}

it("judges a context in little more than the time of a render", () => {
  const contract = parseContract("c", {
    type: "object",
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, text])),
  });
  if (!contract.ok) throw new Error(contract.problem.message);
  const body = names
    .slice(0, 60)
    .map((name) => `Some words of a prompt, then {{${name}}} and some more.\n`)
    .join("");
  const parsed = parseTemplate(body, "handlebars");
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const linked = linkTemplate("t", parsed.value, () => undefined);
  if (!linked.ok) throw new Error(linked.problem.message);
  const context: JsonObject = Object.fromEntries(
    names.map((name): [string, Json] => [name, `value of ${name}`]),
  );
  const { reads } = checkTemplate(linked.value, contract.value);
  const validate = createValidator(contract.value, reads);
  const bare = measure(() => void render(linked.value, context));
  const judged = measure(() => {
    const valid = validate(context);
    if (valid.ok) render(linked.value, valid.value);
  });
  console.log(
    `4 KB, 60 fields: render ${bare.toFixed(1)} µs, judged and rendered ${judged.toFixed(1)} µs, ${(judged / bare).toFixed(2)} times`,
  );
  expect(judged / bare).toBeLessThan(20);
});
