import { LIMITS, problem, type Finding, type Problem, type Result } from "@incipit/schema";
import type { Facts } from "./facts.ts";
import type { Command } from "./commands.ts";

type Refusal = { ok: false; problem: Problem };

/** Findings that one refusal lists at most. */
const LISTED_FINDINGS = 100;

/** A refusal with findings, in the order they stand, each once. Where they are all about a limit, it says so. */
export function refuseFindings(key: string, findings: readonly Finding[]): Refusal {
  const distinct = [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
  const [first] = distinct;
  const code = distinct.every((one) => one.code === "include_depth") ? "limit_exceeded" : "check_failed";
  const more = distinct.length > 1 ? ` (and ${distinct.length - 1} more)` : "";
  return {
    ok: false,
    problem: problem(code, `${first?.message ?? "The template was refused."}${more}`, {
      key,
      ...(first && { line: first.line, column: first.column }),
      ...(first?.partial !== undefined && { partial: first.partial }),
      findings: distinct.slice(0, LISTED_FINDINGS),
    }),
  };
}

/** The refusal of a command id that another command has used; null where the log holds none or this very one. */
export function refuseReuse(facts: Facts, command: Command): Refusal | null {
  const other = facts.past.find((event) => event.commandHash !== command.commandHash);
  if (other === undefined) return null;
  return refuse(
    "command_reused",
    `The command id ${JSON.stringify(command.commandId)} belongs to another command, stored at position ${other.seq}. ` +
      "Send this one under an id of its own.",
    command.key,
  );
}

/** The refusal of a key that the registry does not know. */
export function refuseUnknownKey(key: string): Refusal {
  return refuse("key_not_found", `There is no template ${key}.`, key);
}

/** The refusal of a version that the key does not have. */
export function refuseUnknownVersion(facts: Facts, key: string, version: number): Refusal {
  const stored = facts.newest === null ? "no stored version" : `versions 1 to ${facts.newest.version}`;
  const why = version === 0 ? `${key} has no seed.` : `${key} has no version ${version}; it has ${stored}.`;
  return { ok: false, problem: problem("version_not_found", why, { key, version }) };
}

/**
 * The refusal of an expectation that does not hold; null where it does. Null and 0 both mean: none. Its `path` is the field
 * that held the expectation, which tells it from a conflict of another kind.
 */
export function refuseExpectation(
  key: string,
  path: "expectNewest" | "expectActive" | "expectVersion",
  what: string,
  expected: number | null | undefined,
  found: number | null,
): Refusal | null {
  if (expected === undefined || (expected === 0 ? null : expected) === found) return null;
  const say = (version: number | null) => (version === null || version === 0 ? "none" : `version ${version}`);
  return {
    ok: false,
    problem: problem(
      "conflict",
      `${what} of ${key} is ${say(found)}, not ${say(expected)} as expected. Look at what has changed, then send the ` +
        "command again.",
      { key, path },
    ),
  };
}

/** The refusal of one more label on a key that has as many as it may have; null where there is room. */
export function refuseLabel({ pointers }: Facts, key: string, label: string): Refusal | null {
  if (pointers.has(label) || pointers.size < LIMITS.labelsPerKey) return null;
  return refuse(
    "limit_exceeded",
    `${key} has ${pointers.size} labels, the limit is ${LIMITS.labelsPerKey} (limit "labelsPerKey"). Deactivate one that is ` +
      "no longer needed, then send the command again.",
    key,
  );
}

/**
 * The refusal of an activation that comes late: the command's version is stored, and since then the label was moved by a
 * decision that is newer than the command. Null where it is still the command's turn.
 */
export function refuseOvertaken(
  { lastMove }: Facts,
  { key, label, version, storedAt }: { key: string; label: string; version: number; storedAt: number },
): Refusal | null {
  if (lastMove === null || lastMove.seq < storedAt || lastMove.version === version) return null;
  const moved = lastMove.version === null ? "taken away" : `moved to version ${lastMove.version}`;
  const message =
    `Version ${version} of ${key} is stored, but was not activated: the label ${label} was ${moved} meanwhile, at position ` +
    `${lastMove.seq}. If version ${version} is to be active all the same, activate it.`;
  return { ok: false, problem: problem("conflict", message, { key, version }) };
}

/** A refusal that names its key. */
export function refuse(code: Problem["code"], message: string, key: string): Refusal {
  return { ok: false, problem: problem(code, message, { key }) };
}

/** The same refusal, naming its key. */
export function withKey<T>(result: Result<T> & { ok: false }, key: string): Refusal {
  return { ok: false, problem: { ...result.problem, key } };
}
