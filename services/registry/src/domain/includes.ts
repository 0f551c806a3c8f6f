import { LIMITS, type Finding, type Problem } from "@incipit/schema";
import type { View } from "./facts.ts";
import type { Parsed } from "./language.ts";

/** What lies below a template: includes one under the other, and cache breakpoints, its own among them. */
type Below = { height: number; breakpoints: number };

/**
 * What is wrong with what a template includes, directly or through others, from one point of view: nothing there, not a
 * partial, does not parse, a cycle, too deep, a second cache breakpoint. What passes here links in a renderer.
 */
export function checkIncludes(root: string, parsed: Parsed, view: View): Finding[] {
  const findings: Finding[] = [];
  const looked = new Map<string, Below>();

  function look(at: string, { includes, hasCacheBreakpoint }: Parsed, trail: readonly string[]): Below {
    let height = 0;
    let breakpoints = hasCacheBreakpoint ? 1 : 0;
    const within = at === root ? {} : { partial: at };
    for (const include of includes) {
      const { key, inLoop } = include;
      const report = (code: string, message: string, position = include.keyPosition) =>
        findings.push({ code, message, ...position, ...within });
      const cycleFrom = trail.indexOf(key);
      if (cycleFrom >= 0) {
        report("partial_cycle", cycleMessage([...trail.slice(cycleFrom), key], view), include.position);
        continue;
      }
      const below = looked.get(key) ?? lookAtPartial(key, trail, report);
      looked.set(key, below);
      height = Math.max(height, 1 + below.height);
      if (trail.length === 1 && 1 + below.height > LIMITS.includeDepth)
        report("include_depth", `More than ${LIMITS.includeDepth} includes lie one below the other here.`);
      if (below.breakpoints > 0 && (inLoop || breakpoints > 0))
        report("breakpoint_misplaced", breakpointMessage(key, inLoop), include.position);
      breakpoints += below.breakpoints;
    }
    return { height, breakpoints };
  }

  function lookAtPartial(
    key: string,
    trail: readonly string[],
    report: (code: string, message: string) => void,
  ): Below {
    const nothing = { height: 0, breakpoints: 0 };
    const partial = view.partials.get(key) ?? null;
    if (partial === null) report("unknown_partial", missingMessage(key, view));
    else if (partial.kind !== "partial")
      report(
        "not_a_partial",
        `${key} is of kind ${partial.kind}; only what is of kind partial can be included.`,
      );
    // Deeper than this it is too deep already, which the template itself is told.
    else if (trail.length <= LIMITS.includeDepth) {
      const { parsed: read } = partial;
      if (read.ok) return look(key, read.value, [...trail, key]);
      findings.push(...partialFindings(key, read.problem));
    }
    return nothing;
  }

  look(root, parsed, [root]);
  return findings;
}

function breakpointMessage(key: string, inLoop: boolean): string {
  const why = inLoop ? "this include stands in a loop" : "there is one before it already";
  return `The partial ${key} holds a cache breakpoint, and ${why}. Keep one, outside of loops.`;
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
