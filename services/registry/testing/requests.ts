import { nodePrimitives } from "@incipit/bus";
import { DEFAULT_SETTINGS, parseContract, type TemplateSettings } from "@incipit/schema";
import { canonicalJson } from "../src/domain/canonical.ts";
import type { Activate, Add, Deactivate, Publish, Seed } from "../src/domain/commands.ts";
import { NOON } from "./records.ts";

const sha256 = nodePrimitives.sha256;
let counter = 0;
const origin = (given: { commandId?: string | undefined }) => {
  const commandId = given.commandId ?? `command-${++counter}`;
  return { actor: "alice", commandId, commandHash: sha256(commandId) };
};

/** An `add`, by alice. */
export function add(key: string, body: string, rest: Partial<Add> = {}): Add {
  const command = { key, body, hash: sha256(body), settings: {}, note: "", now: NOON };
  const options = { expectNewest: undefined, activate: null, expectActive: undefined, dryRun: false };
  return { type: "add", ...command, ...options, ...origin(rest), ...rest };
}

/** An `activate`, by alice. */
export function activate(
  key: string,
  version: number,
  label = "production",
  rest: Partial<Activate> = {},
): Activate {
  const command = { key, version, label, note: "", expectActive: undefined, dryRun: false };
  return { type: "activate", ...command, ...origin(rest), ...rest };
}

/** A `deactivate`, by alice. */
export function deactivate(key: string, label = "production", rest: Partial<Deactivate> = {}): Deactivate {
  return { type: "deactivate", key, label, note: "", ...origin(rest), ...rest };
}

/** A seed of the software. */
export function seed(key: string, body: string, settings: Partial<TemplateSettings> = {}): Seed {
  const all = { ...DEFAULT_SETTINGS, ...settings };
  return { type: "seed", key, body, hash: sha256(body), settings: all, ...origin({}) };
}

/** A `publish`, by alice. The document must be one. */
export function publish(
  name: string,
  document: Record<string, unknown>,
  rest: Partial<Publish> = {},
): Publish {
  const contract = parseContract(name, document);
  if (!contract.ok) throw new Error(contract.problem.message);
  const hash = sha256(canonicalJson(document));
  const options = { note: "", expectVersion: undefined, dryRun: false, now: NOON };
  return { type: "publish", key: name, contract: contract.value, hash, ...options, ...origin(rest), ...rest };
}
