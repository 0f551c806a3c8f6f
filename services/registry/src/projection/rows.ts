import type { Json, Kind, OnError, Syntax } from "@incipit/schema";
import type { JsonObject, TemplateVersion } from "@incipit/schema";

/** The columns of a version but its body, for a SELECT; `v` is the table. */
export const VERSION_COLUMNS =
  "v.key, v.version, v.kind, v.syntax, v.contract, v.on_error, v.config, v.tags, v.note, v.source, v.hash, v.bytes, " +
  "v.actor, v.created, v.seq";

/** A row of those columns. */
export type VersionRow = {
  key: string;
  version: number;
  kind: Kind;
  syntax: Syntax;
  contract: string | null;
  on_error: OnError;
  config: string | null;
  tags: string;
  note: string;
  source: "seed" | "user";
  hash: string;
  bytes: number;
  actor: string;
  created: string;
  seq: number;
};

/** A row with its body. */
export type FullVersionRow = VersionRow & { body: string };

/** A version without its body, as replies and decisions have it. */
export function versionOf(row: VersionRow): Omit<TemplateVersion, "body"> {
  const { key, version, kind, syntax, source, contract, note, hash, actor, created, seq } = row;
  return {
    key,
    version,
    kind,
    syntax,
    source,
    contract,
    onError: row.on_error,
    // Both were JSON of the right shape when they were written.
    config: row.config === null ? null : (JSON.parse(row.config) as JsonObject),
    tags: parseTags(row.tags),
    note,
    hash,
    actor,
    created,
    seq,
  };
}

/** The same with its body. */
export function fullVersionOf(row: FullVersionRow): TemplateVersion {
  return { ...versionOf(row), body: row.body };
}

/** The tags a row holds as JSON. */
export function parseTags(json: string): string[] {
  return (JSON.parse(json) as Json[]).map(String);
}
