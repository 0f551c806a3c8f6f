import { compareContracts, createValidator, isReadWhole, parseContract } from "@incipit/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { link } from "../testing/fuzz.ts";
import { randomContext, CONTEXT_STYLES } from "../testing/random-context.ts";
import { randomDocument } from "../testing/random-contract.ts";
import { editedDocument } from "../testing/random-edit.ts";
import { randomTemplate } from "../testing/random-template.ts";
import { createRandom } from "../testing/random.ts";
import { checkTemplate } from "./check/check-template.ts";
import { render } from "./render.ts";

const CONTEXTS = 24;
/** A null that is sent for what may only be left out counts as absent until the contract allows null: `json` shows it then. */
const STYLES = CONTEXT_STYLES.filter((style) => style !== "adversarial");

it("the next version of a contract changes no text of a template that still passes, and asks nothing new of its callers", () => {
  let tried = 0;
  fc.assert(
    fc.property(fc.noBias(fc.integer({ min: 0 })), (seed) => {
      const random = createRandom(seed);
      const document = randomDocument(random);
      const before = parseContract("c", document);
      const after = parseContract("c", editedDocument(random, document));
      if (!before.ok || !after.ok) return;
      const { narrowed, widened, added, shown } = compareContracts(before.value, after.value);
      if (narrowed.length > 0) return;
      const template = randomTemplate(random, before.value);
      const linked = link(template);
      if (linked === null) return;
      const [was, is] = [before.value, after.value].map((contract) =>
        checkTemplate(linked, contract, { witnesses: false }),
      );
      if (was === undefined || is === undefined || was.findings.length > 0) return;
      const changes = `${JSON.stringify({ narrowed, widened, added, shown: shown.map(({ path, message }) => ({ path, message })) })}\n${JSON.stringify(before.value.document)}\n${JSON.stringify(after.value.document)}`;
      if (is.findings.length > 0) {
        expect(widened.length + added.length + shown.length, `${template.body}\n${changes}`).toBeGreaterThan(
          0,
        );
        return;
      }
      if (shown.some(({ owner }) => isReadWhole(after.value.root, is.reads, owner))) return;
      tried++;
      const [judge, judgeNow] = [
        createValidator(before.value, was.reads),
        createValidator(after.value, is.reads),
      ];
      for (let i = 0; i < CONTEXTS; i++) {
        const context = randomContext(random, before.value, STYLES[i % STYLES.length] ?? "random");
        const [old, now] = [judge(context), judgeNow(context)];
        const told = `${template.body}\n${JSON.stringify([...template.partials])}\n${changes}\n${JSON.stringify(context).slice(0, 2_000)}`;
        if (!old.ok) continue;
        if (!now.ok) expect.fail(`${now.problem.message}\n${told}`);
        const [text, textNow] = [render(linked, old.value), render(linked, now.value)];
        // Where no constant tells variants apart, one that is wider may be what a value of another looks like now.
        const isTold = before.value.variants.length === 1 || widened.length === 0;
        if (text.ok && isTold)
          expect(textNow.ok ? textNow.value.text : textNow.problem.message, told).toBe(text.value.text);
      }
    }),
    { numRuns: Number(process.env["FUZZ_PAIRS"] ?? 4_000) },
  );
  expect(tried).toBeGreaterThan(1_000);
}, 120_000);
