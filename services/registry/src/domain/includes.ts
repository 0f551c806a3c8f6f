import { LIMITS, type Finding, type Problem, type Syntax } from "@incipit/schema";
import type { View } from "./facts.ts";
import type { Parse, Parsed } from "./language.ts";

/** The template whose includes are looked at. */
export type Root = { key: string; body: string; syntax: Syntax };

/**
 * What is wrong with what a template includes, directly or through others, from one point of view: nothing there, not a
 * partial, does not parse, a cycle, too deep. `parsed` is the template itself.
 */
export function checkIncludes(root: Root, parsed: Parsed, view: View, parse: Parse): Finding[] {
  const findings: Finding[] = [];
  /** How many includes lie one below the other from here, for what is looked at already. */
  const heights = new Map<string, number>();

  function heightOf(at: string, { includes }: Parsed, trail: readonly string[]): number {
    let height = 0;
    const within = at === root.key ? {} : { partial: at };
    for (const { key, keyPosition } of includes) {
      const report = (code: string, message: string) =>
        findings.push({ code, message, ...keyPosition, ...within });
      const cycleFrom = trail.indexOf(key);
      if (cycleFrom >= 0) {
        report("partial_cycle", cycleMessage([...trail.slice(cycleFrom), key], view));
        continue;
      }
      const known = heights.get(key);
      const below = known ?? (trail.length > LIMITS.includeDepth ? 0 : heightOfPartial(key, trail, report));
      heights.set(key, below);
      height = Math.max(height, 1 + below);
      if (trail.length + below > LIMITS.includeDepth)
        report("include_depth", `More than ${LIMITS.includeDepth} includes lie one below the other here.`);
    }
    return height;
  }

  function heightOfPartial(
    key: string,
    trail: readonly string[],
    report: (code: string, message: string) => void,
  ): number {
    const partial = view.partials.get(key) ?? null;
    if (partial === null) {
      report("unknown_partial", missingMessage(key, view));
      return 0;
    }
    if (partial.kind !== "partial") {
      report(
        "not_a_partial",
        `${key} is of kind ${partial.kind}; only what is of kind partial can be included.`,
      );
      return 0;
    }
    const parsed = parse(partial.body, partial.syntax);
    if (parsed.ok) return heightOf(key, parsed.value, [...trail, key]);
    for (const finding of partialFindings(key, parsed.problem)) findings.push(finding);
    return 0;
  }

  heightOf(root.key, parsed, [root.key]);
  // Elsewhere only the loop that this template would close is its fault.
  return view.scope === "fallback"
    ? findings.filter(({ code }) => code === "partial_cycle" || code === "include_depth")
    : findings;
}

function cycleMessage(keys: readonly string[], view: View): string {
  const under = view.scope === "stored" ? "" : `Under the label ${view.label}: `;
  return `${under}${keys.join(" → ")} is a cycle: a template cannot include itself.`;
}

function missingMessage(key: string, view: View): string {
  if (view.scope === "stored") return `There is no template ${key} to include. Add it first.`;
  const label = view.label === "production" ? "" : `under the label ${view.label}, nothing `;
  return `Nothing of ${key} is active ${label}under production, and it has no seed. Activate it first.`;
}

function partialFindings(key: string, { code, message, line, column, findings }: Problem): Finding[] {
  if (findings !== undefined && findings.length > 0)
    return findings.map((finding) => ({ ...finding, partial: finding.partial ?? key }));
  const place = { line: line ?? 1, column: column ?? 1 };
  return [{ code, message, ...place, endLine: place.line, endColumn: place.column, partial: key }];
}
