import { DEFAULT_LABEL, type Finding, type Problem } from "@incipit/schema";
import { formatFinding, witnessLines } from "@incipit/templates";
import { EXIT, type ExitCode } from "./io.ts";
import { count, printable } from "./text.ts";

/** Nobody could answer; everything else is an answer. */
const UNREACHABLE: ReadonlySet<string> = new Set(["no_responders", "unavailable", "timeout"]);

/** Refusals of a request: a place that one carries is a place in its JSON, not in a body. */
const OF_REQUEST: ReadonlySet<string> = new Set(["bad_request", "bad_context"]);

/** The text that places point into, and what to call it; without a body, places stand alone. */
export type Source = { name: string; body?: string };

/** What a command knows of a refusal besides what the refusal says. */
export type Background = {
  /** The label that was asked for. */
  label?: string | undefined;
  /** Bodies of partials that findings lie in, by key. */
  partials?: ReadonlyMap<string, string>;
  /** What to do, where the command knows better than the code. */
  hint?: string | undefined;
};

/** The exit code a refusal ends with. */
export function exitCodeOf({ code }: Problem): ExitCode {
  return UNREACHABLE.has(code) ? EXIT.unreachable : EXIT.refused;
}

/** The places in bodies that a refusal is about: its findings, else its own. */
export function placesOf(problem: Problem): Finding[] {
  const { findings = [], line, code } = problem;
  if (findings.length > 0) return [...findings];
  return line === undefined || OF_REQUEST.has(code) ? [] : [pointAt(problem, line)];
}

/**
 * A refusal as a person reads it: code and message, then each finding with its place, the source line and a caret, then
 * what to do.
 */
export function formatProblem(problem: Problem, source?: Source, background: Background = {}): string {
  const findings = problem.findings ?? [];
  // The message of a problem with findings is that of the first, which stands below with its place.
  const what =
    findings.length === 0
      ? printable(problem.message)
      : `${problem.key ?? "the template"} is refused, ${count(findings.length, "finding")}`;
  const lines = [`incipit: ${problem.code}: ${what}`];
  // Where it is not known what a lone place points into, the message has said all there is.
  const places = findings.length === 0 && source === undefined ? [] : placesOf(problem);
  for (const place of places) lines.push(describe(place, source, background));
  const hint = background.hint ?? hintFor(problem, background);
  if (hint !== undefined) lines.push(`  hint: ${hint}`);
  return `${lines.join("\n")}\n`;
}

/** What to do about a refusal that says nothing of a template. */
function hintFor(problem: Problem, { label = DEFAULT_LABEL }: Background): string | undefined {
  const key = problem.key ?? "KEY";
  switch (problem.code) {
    case "no_responders":
      return "Is the service running? `incipit up` starts all of it.";
    case "not_active": {
      const inactive = problem.partial ?? key;
      // Whoever asked for another label does not want production moved.
      const where = label === DEFAULT_LABEL ? "" : ` --label ${label}`;
      return `Put a version live: incipit activate ${inactive} VERSION${where}. \`incipit versions ${inactive}\` lists them.`;
    }
    case "conflict":
      // A path names the expectation that does not hold; other conflicts say themselves what to do.
      return problem.path === undefined
        ? undefined
        : `Somebody else was faster: look at \`incipit versions ${key}\` and decide again.`;
    default:
      return undefined;
  }
}

function describe(finding: Finding, source: Source | undefined, { partials }: Background): string {
  const { partial, ...here } = finding;
  const body = partial === undefined ? source?.body : partials?.get(partial);
  const name = partial ?? source?.name;
  const before = name === undefined ? "" : `${printable(name)}:`;
  if (body !== undefined) return `${before}${formatFinding(body, here)}`;
  const hint = finding.hint === undefined ? "" : `\n  hint: ${printable(finding.hint)}`;
  const rest = witnessLines(finding).map((line) => `\n${line}`);
  return `${before}${finding.line}:${finding.column} ${printable(finding.message)}${hint}${rest.join("")}`;
}

/** A problem that carries a place and no findings, as a finding. */
function pointAt({ code, message, column = 1, partial }: Problem, line: number): Finding {
  const place = { line, column, endLine: line, endColumn: column + 1 };
  return { code, message, ...place, ...(partial !== undefined && { partial }) };
}
