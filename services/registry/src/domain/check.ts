import {
  refuseUnreadable,
  ok,
  type Finding,
  type Problem,
  type Result,
  type Syntax,
  type TemplateSettings,
} from "@incipit/schema";
import { checkAgainst, warningTexts } from "./contract-check.ts";
import type { Facts, View } from "./facts.ts";
import { checkIncludes } from "./includes.ts";
import type { Parse, Parsed } from "./language.ts";
import { refuse, refuseFindings, withKey } from "./refusals.ts";

/** The template that is looked at. */
export type Root = { key: string; body: string; syntax: Syntax };

/**
 * What a template must be to be stored or to go live: its includes hold from each point of view and, where it is written
 * against a contract, no context that the contract allows makes it fail. Gives the warnings.
 */
export function checkTemplateIn(
  facts: Facts,
  root: Root & { contract: string | null },
  parsed: Parsed,
  views: readonly View[],
): Result<string[]> {
  const included = checkViews(root.key, parsed, views);
  if (!included.ok) return included;
  if (root.contract === null) return ok([]);
  const published = facts.contracts.get(root.contract);
  if (published === undefined)
    return refuse(
      "contract_not_found",
      `There is no contract ${root.contract}. Publish it first (incipit contract publish).`,
      root.key,
    );
  const { contract, name, version } = published;
  if (contract === null) return refuseUnreadable(name, version, { key: root.key });
  const reports = (views.length === 0 ? [undefined] : views).map((view) =>
    checkAgainst(root.key, root, view, contract),
  );
  const findings = reports.flatMap((report) => report.findings);
  if (findings.length > 0) return refuseFindings(root.key, findings);
  return ok(warningTexts(reports));
}

/** The warnings of a template that is stored or live already, as its contract has it now. */
export function warningsOf(facts: Facts, root: Root & { contract: string | null }): string[] {
  const contract = root.contract === null ? null : (facts.contracts.get(root.contract)?.contract ?? null);
  if (contract === null) return [];
  const views = facts.views.length === 0 ? [undefined] : facts.views;
  return warningTexts(
    views.map((view) => checkAgainst(root.key, root, view, contract, { witnesses: false })),
  );
}

/** What a body must be whatever surrounds it: it parses, and it is not blank. */
export function checkBody(root: Root, parse: Parse): Result<Parsed> {
  const parsed = parse(root.body, root.syntax);
  if (!parsed.ok) return withKey(parsed, root.key);
  if (root.body.trim() !== "") return parsed;
  const start = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return refuseFindings(root.key, [{ code: "empty_body", message: "The body is blank.", ...start }]);
}

/** What the includes of a template must be, from each of the given points of view. */
function checkViews(key: string, parsed: Parsed, views: readonly View[]): Result<null> {
  const findings: Finding[] = views.flatMap((view) => checkIncludes(key, parsed, view));
  return findings.length === 0 ? ok(null) : refuseFindings(key, findings);
}

/** The settings that this release cannot serve: assemblies. */
export function checkServable(key: string, settings: TemplateSettings): Result<null> {
  if (settings.kind === "assembly")
    return refuse(
      "bad_request",
      "Templates of kind assembly are not supported by this release. Use prompt or partial.",
      key,
    );
  return ok(null);
}

/**
 * A key's kind can change only while nothing of it is live (no label points at it, it has no seed): what includes it, or
 * asks for it, relies on the kind of what it gets.
 */
export function refuseKindChange(
  facts: Facts,
  key: string,
  kind: TemplateSettings["kind"],
  options: { seed: boolean },
): { ok: false; problem: Problem } | null {
  const advice = "Use another key, or deactivate it first.";
  for (const [label, pointer] of facts.pointers)
    if (pointer.kind !== kind)
      return refuse(
        "conflict",
        `${key} is a ${pointer.kind} under the label ${label} and cannot become a ${kind}. ${advice}`,
        key,
      );
  if (options.seed && facts.seed !== null && facts.seed.kind !== kind)
    return refuse(
      "conflict",
      `The seed of ${key} is a ${facts.seed.kind}, so that it cannot become a ${kind}. Use another key.`,
      key,
    );
  return null;
}
