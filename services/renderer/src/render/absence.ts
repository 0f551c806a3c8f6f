import { problem, type Problem } from "@incipit/schema";
import type { VersionRef } from "./version.ts";

/** Something a render needs and the pointers do not lead to. */
export type Absent = {
  key: string;
  /** The version asked for by number, or null where a label should have led to one. */
  version: number | null;
  label: string;
  /** The template that includes it; null where it was asked for itself. */
  includedBy: VersionRef | null;
};

/** The refusal for something absent. `keyExists`: whether the log has ever held anything of that key. */
export function absence(absent: Absent, keyExists: boolean): Problem {
  const { key, version, label, includedBy } = absent;
  const needs = includedBy === null ? "" : `${includedBy.key}@${includedBy.version} includes ${key}, but `;
  const details =
    includedBy === null
      ? { key, ...(version === null ? {} : { version }) }
      : { key: includedBy.key, version: includedBy.version, partial: key };
  if (!keyExists)
    return problem("key_not_found", `${needs}${needs ? "there" : "There"} is no template ${key}.`, details);
  if (version !== null)
    return problem(
      "version_not_found",
      `${needs}${key} has no ${version === 0 ? "seed (version 0)" : `version ${version}`}.`,
      details,
    );
  return problem(
    "not_active",
    `${needs}nothing is active for ${key} under ${label}, and ${includedBy === null && label !== "production" ? "only production falls back to a seed" : "it has no seed"}: activate a version.`,
    details,
  );
}
