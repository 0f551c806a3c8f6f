import { ok, type ActivateReply, type Result } from "@incipit/schema";
import { checkBody, checkTemplateIn, refuseKindChange, warningsOf } from "./check.ts";
import { refuseBreaking } from "./users.ts";
import type { Activate, Decision } from "./commands.ts";
import type { Facts } from "./facts.ts";
import type { Parse } from "./language.ts";
import {
  refuseExpectation,
  refuseLabel,
  refuseReuse,
  refuseUnknownKey,
  refuseUnknownVersion,
} from "./refusals.ts";

/** `activate`: points a label at a stored version, once what would become live under it holds together. */
export function decideActivate(
  facts: Facts,
  command: Activate,
  parse: Parse,
): Result<Decision<ActivateReply>> {
  const { key, version, label, note } = command;
  const reused = refuseReuse(facts, command);
  if (reused !== null) return reused;
  const [past] = facts.past;
  if (past !== undefined) {
    const previous = "previous" in past ? past.previous : null;
    return answer(facts, command, true, { previous, seq: past.seq, changed: true });
  }

  if (facts.newest === null && facts.seed === null) return refuseUnknownKey(key);
  if (version === 0 ? facts.seed === null : facts.target === null)
    return refuseUnknownVersion(facts, key, version);
  const pointer = facts.pointers.get(label);
  const previous = pointer?.version ?? null;
  const unexpected = refuseExpectation(
    key,
    "expectActive",
    `The version under ${label}`,
    command.expectActive,
    previous,
  );
  if (unexpected !== null) return unexpected;
  if (version === (previous ?? 0))
    return answer(facts, command, false, { previous, seq: pointer?.seq ?? facts.position, changed: false });

  if (facts.target !== null && version !== 0) {
    const { target } = facts;
    const changedKind = refuseKindChange(facts, key, target.kind, { seed: true });
    if (changedKind !== null) return changedKind;
    const parsed = checkBody(target, parse);
    if (!parsed.ok) return parsed;
    const checked = checkTemplateIn(facts, target, parsed.value, facts.views);
    if (!checked.ok) return checked;
  }
  const broken = (version === 0 ? null : refuseLabel(facts, key, label)) ?? refuseBreaking(facts, key);
  if (broken !== null) return broken;
  if (command.dryRun) return answer(facts, command, false, { previous, seq: facts.position, changed: true });
  // Version 0 is never activated: taking the label away lets the seed answer.
  if (version !== 0)
    return ok({
      type: "append",
      events: [{ type: "TemplateActivated", data: { key, label, version, previous, note } }],
    });
  if (previous === null) throw new Error("a label that points nowhere cannot be taken away");
  return ok({
    type: "append",
    events: [{ type: "TemplateDeactivated", data: { key, label, previous, note } }],
  });
}

function answer(
  facts: Facts,
  { key, label, version, dryRun }: Activate,
  settled: boolean,
  rest: Pick<ActivateReply, "previous" | "seq" | "changed">,
): Result<Decision<ActivateReply>> {
  const warnings = facts.target === null ? [] : warningsOf(facts, facts.target);
  const reply = { key, label, version, ...rest, warnings, ...(dryRun && { dryRun: true as const }) };
  return ok({ type: "reply", settled, reply });
}
