import type { Finding, Problem } from "@incipit/schema";
import { formatFinding } from "@incipit/templates";
import { EXIT, type ExitCode } from "./io.ts";
import { count, printable } from "./text.ts";

/** Nobody could answer; everything else is an answer. */
const UNREACHABLE: ReadonlySet<string> = new Set(["no_responders", "unavailable", "timeout"]);

/** What to do about a refusal that says nothing of a template. */
const HINTS: Partial<Record<Problem["code"], string>> = {
  no_responders: "Is the service running? `incipit up` starts all of it.",
  not_active: "Put a version live: incipit activate KEY VERSION.",
  conflict: "Somebody else was faster: look at `incipit versions KEY` and decide again.",
};

/** Refusals of a request: a place that one carries is a place in its JSON, not in a body. */
const OF_REQUEST: ReadonlySet<string> = new Set(["bad_request", "bad_context"]);

/** The exit code a refusal ends with. */
export function exitCodeOf({ code }: Problem): ExitCode {
  return UNREACHABLE.has(code) ? EXIT.unreachable : EXIT.refused;
}

/**
 * A refusal as a person reads it: code and message, then each finding with its place, the source line and a caret.
 * `body` is the text the findings are about, where the command has it; `name` is what to call it.
 */
export function formatProblem(problem: Problem, source?: { name: string; body: string }): string {
  const findings = problem.findings ?? [];
  // The message of a problem with findings is that of the first, which stands below with its place.
  const what =
    findings.length === 0
      ? printable(problem.message)
      : `${problem.key ?? "the template"} is refused, ${count(findings.length, "finding")}`;
  const lines = [`incipit: ${problem.code}: ${what}`];
  for (const finding of findings) lines.push(describe(finding, source));
  if (
    findings.length === 0 &&
    problem.line !== undefined &&
    source !== undefined &&
    !OF_REQUEST.has(problem.code)
  )
    lines.push(describe(pointAt(problem, problem.line), source));
  const hint = HINTS[problem.code];
  if (hint !== undefined) lines.push(`  hint: ${hint}`);
  return `${lines.join("\n")}\n`;
}

function describe(finding: Finding, source: { name: string; body: string } | undefined): string {
  if (source !== undefined) {
    const shown = formatFinding(source.body, finding);
    // One inside a partial begins with the partial's key, since it is about another body than the one at hand.
    return finding.partial === undefined ? `${source.name}:${shown}` : shown;
  }
  const place = `${finding.partial === undefined ? "" : `${finding.partial}:`}${finding.line}:${finding.column}`;
  const hint = finding.hint === undefined ? "" : `\n  hint: ${printable(finding.hint)}`;
  return `${place} ${printable(finding.message)}${hint}`;
}

/** A problem that carries a place and no findings, as a finding. */
function pointAt({ code, message, column = 1, partial }: Problem, line: number): Finding {
  const place = { line, column, endLine: line, endColumn: column + 1 };
  return { code, message, ...place, ...(partial !== undefined && { partial }) };
}
