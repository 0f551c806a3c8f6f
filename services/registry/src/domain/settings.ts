import { DEFAULT_SETTINGS, type TemplateSettings } from "@incipit/schema";
import { canonicalJson } from "./canonical.ts";
import type { StatedSettings } from "./commands.ts";

/** The settings alone, of whatever carries them. */
function settingsOf(carrier: TemplateSettings): TemplateSettings {
  const { kind, syntax, contract, onError, config, tags } = carrier;
  return { kind, syntax, contract, onError, config, tags };
}

/** The settings a command asks for: as stated, else as in the version before (or the seed), else the defaults. */
export function inheritSettings(stated: StatedSettings, before: TemplateSettings | null): TemplateSettings {
  const base = before ?? DEFAULT_SETTINGS;
  return {
    kind: stated.kind ?? base.kind,
    syntax: stated.syntax ?? base.syntax,
    // Null is a statement here: it takes the contract, or the config, away.
    contract: stated.contract === undefined ? base.contract : stated.contract,
    onError: stated.onError ?? base.onError,
    config: stated.config === undefined ? base.config : stated.config,
    tags: stated.tags ?? base.tags,
  };
}

/** Whether two sets of settings say the same; the order of a config's fields says nothing. */
export function sameSettings(a: TemplateSettings, b: TemplateSettings): boolean {
  return canonicalJson(settingsOf(a)) === canonicalJson(settingsOf(b));
}
