import { DEFAULT_LABEL, ok, type DeactivateReply, type Result } from "@incipit/schema";
import type { Deactivate, Decision } from "./commands.ts";
import type { Facts } from "./facts.ts";
import { refuseBreaking } from "./users.ts";
import { refuseReuse, refuseUnknownKey } from "./refusals.ts";

/** `deactivate`: takes a label away. Where it points nowhere, nothing changes and nothing is appended. */
export function decideDeactivate(facts: Facts, command: Deactivate): Result<Decision<DeactivateReply>> {
  const { key, label, note } = command;
  const reused = refuseReuse(facts, command);
  if (reused !== null) return reused;
  const [past] = facts.past;
  if (past !== undefined) {
    const previous = past.type === "TemplateDeactivated" ? past.previous : null;
    return answer(facts, command, true, { previous, seq: past.seq, changed: true });
  }
  if (facts.newest === null && facts.seed === null) return refuseUnknownKey(key);
  const pointer = facts.pointers.get(label);
  if (pointer === undefined)
    return answer(facts, command, false, { previous: null, seq: facts.position, changed: false });
  const broken = refuseBreaking(facts, key);
  if (broken !== null) return broken;
  return ok({
    type: "append",
    events: [{ type: "TemplateDeactivated", data: { key, label, previous: pointer.version, note } }],
  });
}

/** `nowServes` tells what the label serves right after `seq`: only `production` falls back to the seed. */
function answer(
  { seedSince }: Facts,
  { key, label }: Deactivate,
  settled: boolean,
  rest: Pick<DeactivateReply, "previous" | "seq" | "changed">,
): Result<Decision<DeactivateReply>> {
  const hadSeed = seedSince !== null && seedSince <= rest.seq;
  const nowServes = label === DEFAULT_LABEL && hadSeed ? 0 : null;
  return ok({ type: "reply", settled, reply: { key, label, ...rest, nowServes } });
}
