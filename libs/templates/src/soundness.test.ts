import { parseContract } from "@incipit/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Figures, isPolicy, link, misread, pairOf, runFuzz, unsound } from "../testing/fuzz.ts";
import { createRandom } from "../testing/random.ts";
import { checkTemplate } from "./check/check-template.ts";

/** Contexts that each accepted template is rendered with. */
const CONTEXTS = 40;
/** Contract and template pairs; `npm run fuzz:check` asks for more. */
const PAIRS = Number(process.env["FUZZ_PAIRS"] ?? 5_000);
const IS_LONG = process.env["FUZZ_PAIRS"] !== undefined;

describe("what the checker accepts", () => {
  it(
    "renders with every context that the contract allows, and reads nothing that was pruned",
    () => {
      let pairs = 0;
      const seeds = new Set<number>();
      fc.assert(
        // Without bias: a fifth of biased numbers come again, and a seed that comes again is no other pair.
        fc.property(fc.noBias(fc.integer({ min: 0 })), (seed) => {
          const random = createRandom(seed);
          const pair = pairOf(random, { witnesses: false });
          if (pair === null) return;
          pairs++;
          seeds.add(seed);
          if (pair.report.findings.length > 0) return;
          const fault = unsound(random, pair, CONTEXTS);
          if (fault !== null) expect.fail(`${pair.template.body}\n${fault}`);
        }),
        // A few more than asked for, since some seeds make no template.
        { numRuns: Math.ceil(PAIRS * 1.01), includeErrorInReport: true },
      );
      expect(pairs).toBeGreaterThanOrEqual(PAIRS);
      expect(seeds.size).toBeGreaterThanOrEqual(PAIRS);
    },
    PAIRS * 20,
  );

  it("is about half of what is tried", () => {
    let accepted = 0;
    const tried = 1_000;
    for (let seed = 1; seed <= tried; seed++)
      if (pairOf(createRandom(seed), { witnesses: false })?.report.findings.length === 0) accepted++;
    expect(accepted / tried).toBeGreaterThan(0.4);
    expect(accepted / tried).toBeLessThan(0.8);
  });
});

describe("what the checker refuses", () => {
  it("reads no more than it says, since it may have been accepted by an earlier version of its contract", () => {
    fc.assert(
      fc.property(fc.noBias(fc.integer({ min: 0 })), (seed) => {
        const random = createRandom(seed);
        const pair = pairOf(random, { witnesses: false });
        if (pair === null || pair.report.findings.length === 0) return;
        const fault = misread(random, pair, 8);
        if (fault !== null) expect.fail(`${pair.template.body}\n${fault}`);
      }),
      { numRuns: 3_000, includeErrorInReport: true },
    );
  });

  it(
    "comes with a context that makes it fail, but for the policies",
    () => {
      const figures = runFuzz(1_000_000, IS_LONG ? PAIRS : 1_500, CONTEXTS, (seed, pair, fault) =>
        expect.fail(`seed ${seed}: ${pair.template.body}\n${fault}`),
      );
      if (IS_LONG) console.log(describeFigures(figures));
      expect(figures.refused).toBeGreaterThan(200);
      expect(figures.witnessed / (figures.refused - figures.policies)).toBeGreaterThan(0.97);
    },
    PAIRS * 20,
  );

  it("tells what it refuses by policy", () => {
    const contract = parseContract("c", {
      type: "object",
      properties: { a: { type: "string", description: "d" } },
    });
    if (!contract.ok) throw new Error(contract.problem.message);
    const policies = (body: string) => {
      const linked = link({ body, partials: new Map() });
      if (linked === null) throw new Error(`${body} does not parse`);
      return checkTemplate(linked, contract.value).findings.map(isPolicy);
    };
    expect(policies("{{#if a}}{{#unless a}}{{b}}{{/unless}}{{/if}}")).toEqual([true]);
    expect(policies("{{b}}{{a}}")).toEqual([false, false]);
  });
});

function describeFigures({
  pairs,
  accepted,
  renders,
  refused,
  witnessed,
  policies,
  without,
}: Figures): string {
  const share = ((100 * witnessed) / (refused - policies)).toFixed(2);
  const others = [...without].map(([codes, count]) => `${count} ${codes}`).join(", ");
  return `${pairs} pairs, ${accepted} accepted and rendered ${renders} times, ${refused} refused: ${witnessed} with a witness, ${policies} by policy, ${share} % of the others; without: ${others}`;
}
