/**
 * A version as the log holds it. A seed (version 0) is replaced in place when the software is upgraded, so its log
 * position is part of its identity; a stored version is immutable and has `seq` null.
 */
export type VersionRef = { key: string; version: number; seq: number | null };

/** Names exactly one body for ever: `support/triage@3`, or `support/triage@0#17` for a seed. */
export function versionId(ref: VersionRef): string {
  return ref.seq === null ? `${ref.key}@${ref.version}` : `${ref.key}@${ref.version}#${ref.seq}`;
}

/**
 * Names exactly one linked template: the template itself and the versions it includes, in order of their keys, and the version
 * of its contract.
 */
export function linkedId(
  root: VersionRef,
  partials: readonly VersionRef[],
  contract: { name: string; version: number } | null = null,
): string {
  const suffix = contract === null ? [] : [`contract:${contract.name}@${contract.version}`];
  return [...[root, ...partials].map(versionId), ...suffix].join("|");
}
