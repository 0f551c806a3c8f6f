import { type Contract, READS_ALL } from "@incipit/schema";
import type { CheckReport } from "../check-report.ts";
import { compareFindings } from "../finding.ts";
import type { LinkedTemplate } from "../link-template.ts";
import { walkBody } from "./body.ts";
import { createChecker, isTooMuch, report, startEnv } from "./checker.ts";
import { CONTEXT } from "./access.ts";
import { findWitnesses } from "../witness/find-witnesses.ts";
import { typeOfShape } from "./types.ts";

/** What a check may be asked to leave out. */
export type CheckOptions = {
  /** Whether to look for the contexts that make the template fail; true unless said otherwise. */
  readonly witnesses?: boolean;
};

/**
 * Checks a linked template against a contract: walks every branch with the types that the contract gives, narrowed by the
 * conditions on the way, and each partial at each place that includes it. Without a finding, rendering a context that
 * the contract's validator let through ends, within its limits, with a text: it never reads a field that is not listed,
 * never reads through null, and never prints null, an object or a list. Pure, and bounded.
 */
export function checkTemplate(
  linked: LinkedTemplate,
  contract: Contract,
  options: CheckOptions = {},
): CheckReport {
  const { root } = linked;
  const checker = createChecker(contract, root, typeOfShape(contract.root));
  const scope = { value: { kind: "access", access: CONTEXT } as const, key: null, outer: null };
  checker.reads.touch(CONTEXT);
  walkBody(checker, startEnv(), scope, root.parsed.body);
  const [first] = root.parsed.body;
  if (checker.tooMuch && first !== undefined) {
    const message = "The template, with all that it includes, is too large or nests too deep to be checked.";
    report(checker, "check_too_long", first.position, message, "Include less, or guard less of it.", null);
  }
  const found = [...checker.found.values()].toSorted((a, b) => compareFindings(a.finding, b.finding));
  // What was not walked may read anything.
  const isWhole = !isTooMuch(checker, 0);
  const reads = isWhole ? checker.reads.reads() : READS_ALL;
  const findings =
    found.length === 0 || options.witnesses === false
      ? found.map(({ finding }) => finding)
      : findWitnesses(linked, contract, found, reads);
  return { findings, warnings: [...checker.warnings.values()].toSorted(compareFindings), reads };
}
