import { clip } from "./clip.ts";
import { type Finding, type Position, problem, type Result } from "@incipit/schema";

/** The rules a template can break before it is rendered. */
export const FINDING_CODES = [
  "syntax_error",
  "nesting_too_deep",
  "raw_block",
  "decorator",
  "inline_partial",
  "partial_block",
  "dynamic_partial",
  "bad_partial_key",
  "partial_arguments",
  "unknown_partial",
  "partial_cycle",
  "log",
  "unknown_helper",
  "unknown_block",
  "block_as_value",
  "wrong_arity",
  "unknown_argument",
  "block_parameters",
  "unknown_data",
  "outside_loop",
  "above_root",
  "prototype_name",
  "literal_as_field",
  "undefined_literal",
  "breakpoint_misplaced",
  "unknown_field",
  "null_printed",
  "read_through_null",
  "not_printable",
  "not_an_object",
  "not_iterable",
  "argument_type",
  "check_too_long",
  "unreachable",
] as const;

/** One of the rules. */
export type FindingCode = (typeof FINDING_CODES)[number];

/** Characters of a message or a hint: names in it come from the body. */
const LONGEST_MESSAGE = 500;

/**
 * Findings in one refusal, so that it fits into one message of the bus. The problem says how many there are; a body
 * with more is not read to its end.
 */
export const MOST_FINDINGS = 200;

/** Builds a finding. `hint` says what to write instead. */
export function finding(code: FindingCode, position: Position, message: string, hint?: string): Finding {
  return {
    code,
    message: clip(message, LONGEST_MESSAGE),
    ...position,
    ...(hint === undefined ? {} : { hint: clip(hint, LONGEST_MESSAGE) }),
  };
}

/** The order of keys, by UTF-16 units: the same everywhere, whatever the language of the machine. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of findings: the template's own first, then by partial, each from its beginning. */
export function compareFindings(a: Finding, b: Finding): number {
  return compareKeys(a.partial ?? "", b.partial ?? "") || a.line - b.line || a.column - b.column;
}

/** A refusal with its findings (the first 200) in the order they stand; the first gives the problem its place. */
export function refuseFindings(findings: readonly Finding[], key?: string): Result<never> & { ok: false } {
  const sorted = findings.toSorted(compareFindings);
  const first = sorted[0];
  const others = `${sorted.length > MOST_FINDINGS ? "at least " : ""}${sorted.length - 1}`;
  const more = sorted.length > 1 ? ` (and ${others} more)` : "";
  return {
    ok: false,
    problem: problem(
      "check_failed",
      first === undefined ? "The template was refused." : first.message + more,
      {
        ...(key === undefined ? {} : { key }),
        ...(first === undefined ? {} : { line: first.line, column: first.column }),
        ...(first?.partial === undefined ? {} : { partial: first.partial }),
        findings: sorted.slice(0, MOST_FINDINGS),
      },
    ),
  };
}
