import { ok, refuse, type Result, type VersionsReply, type versionsPayloadSchema } from "@incipit/schema";
import type Database from "better-sqlite3";
import { VERSION_COLUMNS, versionOf, type VersionRow } from "../projection/rows.ts";
import { prepareKeyFacts } from "./key-facts.ts";

type Payload = ReturnType<typeof versionsPayloadSchema.parse>;

/** `versions`: the stored versions of a key, highest first, page by page. Seeds are not listed. */
export function prepareVersions(db: Database.Instance) {
  const { refuseUnknown, labelsOf } = prepareKeyFacts(db);
  const has = db.prepare<[string, number]>(
    "SELECT 1 FROM versions WHERE key = ? AND version = ? AND version > 0",
  );
  const total = db
    .prepare<[string], number>("SELECT count(*) FROM versions WHERE key = ? AND version > 0")
    .pluck();
  const below = db.prepare<[string, number, number], VersionRow>(`
    SELECT ${VERSION_COLUMNS} FROM versions v
    WHERE v.key = ? AND v.version > 0 AND v.version < ? ORDER BY v.version DESC LIMIT ?
  `);
  const above = db.prepare<[string, number, number], VersionRow>(`
    SELECT ${VERSION_COLUMNS} FROM versions v WHERE v.key = ? AND v.version > ? ORDER BY v.version LIMIT ?
  `);

  /** The rows of a page; `after` gives those right above the cursor. */
  function page(key: string, { limit, before, after }: Payload): VersionRow[] {
    if (after !== undefined) return above.all(key, after, limit).toReversed();
    return below.all(key, before ?? Number.MAX_SAFE_INTEGER, limit);
  }

  return function versions(key: string, payload: Payload): Result<VersionsReply> {
    const { before, after } = payload;
    if (before !== undefined && after !== undefined)
      return refuse("bad_request", "Page with before or with after, not with both.", { key });
    const unknown = refuseUnknown(key);
    if (unknown !== null) return unknown;
    const cursor = before ?? after;
    if (cursor !== undefined && has.get(key, cursor) === undefined)
      return refuse("version_not_found", `${key} has no version ${cursor} to page from.`, {
        key,
        version: cursor,
      });
    const rows = page(key, payload);
    const labels = labelsOf(key);
    const highest = rows[0]?.version;
    const lowest = rows.at(-1)?.version;
    return ok({
      key,
      items: rows.map((row) => ({
        ...versionOf(row),
        bytes: row.bytes,
        labels: labels.filter(({ version }) => version === row.version).map(({ label }) => label),
      })),
      total: total.get(key) ?? 0,
      before: lowest !== undefined && below.get(key, lowest, 1) !== undefined ? lowest : null,
      after: highest !== undefined && above.get(key, highest, 1) !== undefined ? highest : null,
    });
  };
}
