import { problem, type Finding, type Problem } from "@incipit/schema";
import type { Affected, Facts, Included, View } from "./facts.ts";
import { checkAgainst } from "./contract-check.ts";
import { checkIncludes } from "./includes.ts";

/** Findings that one refusal lists at most, so that it fits into one message of the bus. */
const LISTED_USERS = 500;
/** Templates that the sentence of a refusal names; its findings name the others. */
const NAMED_USERS = 10;
/** Findings of a refusal that show a context: each may take some kilobytes, and is searched for while all else waits. */
const SHOWN_WITNESSES = 20;
/** Characters of a finding's message: keys are long where somebody wants them so. */
const LONGEST_MESSAGE = 1_000;

type Broken = { user: Included; view: View; fault: Finding };

/**
 * The refusal of a move that would break active templates which include the key: as they are they link, and after the move
 * they would not. One that is broken already keeps nothing from being moved. Null where nothing would break.
 */
export function refuseBreaking(facts: Facts, key: string): { ok: false; problem: Problem } | null {
  const broken = facts.affected.flatMap((affected) => brokenBy(facts, affected));
  const findings = broken.slice(0, LISTED_USERS).map((one, i) => {
    const fault = i < SHOWN_WITNESSES ? firstFault(facts, one.user, one.view, true) : undefined;
    return describe(fault ?? one.fault, key, one.user, one.view);
  });
  const [first] = findings;
  if (first === undefined) return null;
  const names = [...new Set(broken.map(({ user }) => user.key))];
  const more = names.length > NAMED_USERS ? ` and ${names.length - NAMED_USERS} more` : "";
  return {
    ok: false,
    problem: problem(
      "check_failed",
      `Active templates that include ${key} would break: ${names.slice(0, NAMED_USERS).join(", ")}${more}. ` +
        first.message,
      {
        key,
        line: first.line,
        column: first.column,
        ...(first.partial !== undefined && { partial: first.partial }),
        findings,
      },
    ),
  };
}

/** The templates that would break under one label, each with the first thing that is wrong with it. */
function brokenBy(facts: Facts, { users, before, after }: Affected): Broken[] {
  return users.flatMap((user) => {
    const fault = firstFault(facts, user, after, false);
    if (fault === undefined || firstFault(facts, user, before, false) !== undefined) return [];
    return [{ user, view: after, fault }];
  });
}

/**
 * The first thing that is wrong with what a template includes or, where it has a contract, with what it does with it. One
 * that does not parse has none that a move could bring.
 */
function firstFault(
  { contracts }: Facts,
  { key, contract: name, source, parsed }: Included,
  view: View,
  witnesses: boolean,
): Finding | undefined {
  if (!parsed.ok) return undefined;
  const [included] = checkIncludes(key, parsed.value, view);
  const contract = name === null ? null : (contracts.get(name)?.contract ?? null);
  if (included !== undefined || contract === null || source === null) return included;
  return checkAgainst(key, source, view, contract, { witnesses }).findings[0];
}

/** A finding of a user, as the one who moves the key has to read it. Its place stays where it is. */
function describe(found: Finding, key: string, user: Included, view: View): Finding {
  const { partial = user.key, ...rest } = found;
  const path = pathTo(key, user, view).join(" → ");
  const why =
    found.code === "unknown_partial" && view.partials.get(key) === null
      ? `nothing of ${key} would be left there.`
      : found.message;
  const message = `${user.key}@${user.version} would break under ${view.label} (${path}): ${why}`;
  return {
    ...rest,
    message: message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message,
    // Where the moved template itself is at fault, it needs no name.
    ...(partial !== key && { partial }),
  };
}

/** The shortest way from a template to one it includes, both named. */
function pathTo(key: string, user: Included, { partials }: View): string[] {
  const cameFrom = new Map<string, string | null>([[user.key, null]]);
  const queue: Included[] = [user];
  for (const { key: at, parsed } of queue) {
    for (const include of parsed.ok ? parsed.value.includes : []) {
      if (cameFrom.has(include.key)) continue;
      cameFrom.set(include.key, at);
      if (include.key === key) {
        const path = [];
        for (let step: string | null = key; step !== null; step = cameFrom.get(step) ?? null)
          path.unshift(step);
        return path;
      }
      const next = partials.get(include.key);
      if (next !== undefined && next !== null) queue.push(next);
    }
  }
  return [user.key, key];
}
