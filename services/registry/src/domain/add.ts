import { ok, type AddReply, type Result, type TemplateSettings } from "@incipit/schema";
import { checkBody, checkServable, checkTemplateIn, refuseKindChange, warningsOf } from "./check.ts";
import type { Add, Decision } from "./commands.ts";
import { refuseBreaking } from "./users.ts";
import type { Facts } from "./facts.ts";
import type { Parse } from "./language.ts";
import { refuse, refuseExpectation, refuseLabel, refuseOvertaken, refuseReuse } from "./refusals.ts";
import { inheritSettings, sameSettings } from "./settings.ts";

/** `add`: stores an inactive version, numbered one above the highest there ever was, and activates it if asked to. */
export function decideAdd(facts: Facts, command: Add, parse: Parse): Result<Decision<AddReply>> {
  const { key } = command;
  const reused = refuseReuse(facts, command);
  if (reused !== null) return reused;
  if (facts.past.length > 0) return resume(facts, command, parse);

  const unexpected = refuseUnexpected(facts, command);
  if (unexpected !== null) return unexpected;
  const twin = refuseTwin(facts, key);
  if (twin !== null) return twin;
  const full = command.activate === null ? null : refuseLabel(facts, key, command.activate);
  if (full !== null) return full;

  const settings = inheritSettings(command.settings, facts.newest ?? facts.seed);
  const servable = checkServable(key, settings);
  if (!servable.ok) return servable;
  const unchanged =
    facts.newest?.hash === command.hash && sameSettings(facts.newest, settings) ? facts.newest : null;
  if (unchanged !== null && command.activate === null) {
    const stored = { key, body: command.body, syntax: unchanged.syntax, contract: unchanged.contract };
    return decideUnchanged(facts, command, unchanged, warningsOf(facts, stored));
  }

  const changedKind = refuseKindChange(facts, key, settings.kind, { seed: true });
  if (changedKind !== null) return changedKind;
  const root = { key, body: command.body, syntax: settings.syntax, contract: settings.contract };
  const parsed = checkBody(root, parse);
  if (!parsed.ok) return parsed;
  // What is stored already is not judged again by what has happened to its partials since; what goes live is.
  const views = unchanged === null ? facts.views : facts.views.filter(({ scope }) => scope !== "stored");
  const checked = checkTemplateIn(facts, root, parsed.value, views);
  if (!checked.ok) return checked;
  const broken = refuseBreaking(facts, key);
  if (broken !== null) return broken;

  if (unchanged !== null) return decideUnchanged(facts, command, unchanged, checked.value);
  const version = (facts.newest?.version ?? 0) + 1;
  if (command.dryRun)
    return preview({
      ...replyOf(command, version, command.hash, facts.position, command.now),
      warnings: checked.value,
      dryRun: true,
    });
  const added = addedEvent(command, version, settings);
  return ok({
    type: "append",
    events:
      command.activate === null
        ? [added]
        : [added, activatedEvent(facts, command, command.activate, version)],
  });
}

/** The refusal of an expectation that does not hold; null where all do. */
function refuseUnexpected({ newest, pointers }: Facts, { key, activate, ...command }: Add) {
  const found = newest?.version ?? null;
  const stale = refuseExpectation(key, "expectNewest", "The newest version", command.expectNewest, found);
  if (stale !== null || activate === null) return stale;
  const active = pointers.get(activate)?.version ?? null;
  return refuseExpectation(
    key,
    "expectActive",
    `The version under ${activate}`,
    command.expectActive,
    active,
  );
}

/** A command that the log holds already, whole or in part: the first reply again, or what is still missing. */
function resume(facts: Facts, command: Add, parse: Parse): Result<Decision<AddReply>> {
  const { past, target } = facts;
  const added = past.find(({ type }) => type === "TemplateAdded");
  const activated = past.find(({ type }) => type === "TemplateActivated");
  const last = past.at(-1);
  if (target === null || last === undefined)
    throw new Error(`the version that command ${command.commandId} stored is not there`);
  if (command.activate === null || activated !== undefined) {
    const reply = replyOf(command, target.version, target.hash, last.seq, target.created);
    return ok({
      type: "reply",
      settled: true,
      reply: {
        ...reply,
        warnings: warningsOf(facts, target),
        ...(added === undefined && { unchanged: true as const }),
        ...(command.dryRun && { dryRun: true as const }),
      },
    });
  }
  // Only the version got stored: the log was lost before the activation was. It is decided as of now. What was expected
  // held when this one was stored; who moved the label since is found below.
  const { key, activate: label } = command;
  const place = { key, label, version: target.version, storedAt: last.seq };
  const late = refuseOvertaken(facts, place) ?? refuseLabel(facts, key, label);
  if (late !== null) return late;
  const changedKind = refuseKindChange(facts, command.key, target.kind, { seed: true });
  if (changedKind !== null) return changedKind;
  const parsed = checkBody(target, parse);
  if (!parsed.ok) return parsed;
  const views = facts.views.filter(({ scope }) => scope !== "stored");
  const checked = checkTemplateIn(facts, target, parsed.value, views);
  if (!checked.ok) return checked;
  const broken = refuseBreaking(facts, command.key);
  if (broken !== null) return broken;
  if (command.dryRun)
    return preview({
      ...replyOf(command, target.version, target.hash, facts.position, target.created),
      warnings: checked.value,
      dryRun: true,
    });
  return ok({ type: "append", events: [activatedEvent(facts, command, command.activate, target.version)] });
}

/** Body and settings are those of the newest version: nothing is stored, and it is activated if it is not yet. */
function decideUnchanged(
  facts: Facts,
  command: Add,
  newest: NonNullable<Facts["newest"]>,
  warnings: string[],
): Result<Decision<AddReply>> {
  const pointer = command.activate === null ? undefined : facts.pointers.get(command.activate);
  const isActive = pointer?.version === newest.version;
  if (command.activate !== null && !isActive && !command.dryRun)
    return ok({
      type: "append",
      events: [activatedEvent(facts, command, command.activate, newest.version)],
    });
  const seq =
    command.activate !== null && !isActive ? facts.position : Math.max(newest.seq, pointer?.seq ?? 0);
  return preview({
    ...replyOf(command, newest.version, newest.hash, seq, newest.created),
    warnings,
    unchanged: true,
    ...(command.dryRun && { dryRun: true }),
  });
}

/** A key that differs from an existing one only in case is refused: people would take one for the other. */
export function refuseTwin(facts: Facts, key: string) {
  if (facts.twin === null) return null;
  return refuse("key_conflict", `${key} differs only in case from ${facts.twin}, which exists.`, key);
}

function preview(reply: AddReply): Result<Decision<AddReply>> {
  return ok({ type: "reply", settled: false, reply });
}

function replyOf(command: Add, version: number, hash: string, seq: number, created: string): AddReply {
  return {
    key: command.key,
    version,
    hash,
    seq,
    created,
    activated: command.activate,
    findings: [],
    warnings: [],
  };
}

function addedEvent(command: Add, version: number, settings: TemplateSettings) {
  const { key, body, note, hash } = command;
  return {
    type: "TemplateAdded" as const,
    data: { key, version, ...settings, body, source: "user" as const, note, hash },
  };
}

function activatedEvent(facts: Facts, { key, note }: Add, label: string, version: number) {
  const previous = facts.pointers.get(label)?.version ?? null;
  return { type: "TemplateActivated" as const, data: { key, label, version, previous, note } };
}
