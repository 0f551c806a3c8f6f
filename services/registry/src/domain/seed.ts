import { isWellFormed, ok, type Result } from "@incipit/schema";
import { refuseTwin } from "./add.ts";
import { checkBody, checkServable, checkTemplateIn, refuseKindChange } from "./check.ts";
import type { Decision, Seed, SeedReply } from "./commands.ts";
import type { Facts } from "./facts.ts";
import type { Parse } from "./language.ts";
import { refuse } from "./refusals.ts";
import { sameSettings } from "./settings.ts";

/**
 * A seed: stored as version 0 where its body or settings differ from what the log holds. It is decided on the facts alone,
 * never on past commands: going back to an older release must bring the older seed back.
 */
export function decideSeed(facts: Facts, command: Seed, parse: Parse): Result<Decision<SeedReply>> {
  const { key, body, hash, settings } = command;
  if (facts.seed?.hash === hash && sameSettings(facts.seed, settings))
    return ok({ type: "reply", settled: false, reply: { key, seq: facts.seed.seq } });
  if (!isWellFormed([body, settings]))
    return refuse("bad_request", `The seed ${key} holds half of a surrogate pair.`, key);
  const twin = refuseTwin(facts, key);
  if (twin !== null) return twin;
  const servable = checkServable(key, settings);
  if (!servable.ok) return servable;
  const changedKind = refuseKindChange(facts, key, settings.kind, { seed: false });
  if (changedKind !== null) return changedKind;
  const root = { key, body, syntax: settings.syntax, contract: settings.contract };
  const parsed = checkBody(root, parse);
  if (!parsed.ok) return parsed;
  const checked = checkTemplateIn(facts, root, parsed.value, facts.views);
  if (!checked.ok) return checked;
  return ok({
    type: "append",
    events: [
      {
        type: "TemplateAdded",
        data: { key, version: 0, ...settings, body, source: "seed", note: "", hash },
      },
    ],
  });
}
