import {
  DEFAULT_LABEL,
  ok,
  refuse,
  type GetReply,
  type getPayloadSchema,
  type Result,
} from "@incipit/schema";
import type Database from "better-sqlite3";
import { fullVersionOf, VERSION_COLUMNS, type FullVersionRow } from "../projection/rows.ts";
import { prepareKeyFacts } from "./key-facts.ts";
import { untilOf, type Until } from "./moment.ts";

type Payload = ReturnType<typeof getPayloadSchema.parse>;
type Pointer = { label: string; version: number };

/** `get`: one version as written, by number, or by label as a render would resolve it, now or as of a moment. */
export function prepareGet(db: Database.Instance) {
  const { refuseUnknown, labelsOf } = prepareKeyFacts(db);
  const resolve = prepareResolve(db);
  const select = db.prepare<[string, number], FullVersionRow>(
    `SELECT ${VERSION_COLUMNS}, v.body FROM versions v WHERE v.key = ? AND v.version = ?`,
  );
  const found = (row: FullVersionRow, pointers: readonly Pointer[]): Result<GetReply> => {
    const labels = pointers.filter(({ version }) => version === row.version).map(({ label }) => label);
    return ok({ ...fullVersionOf(row), labels });
  };

  return function get(key: string, { version, label, at }: Payload): Result<GetReply> {
    if (version !== undefined && label !== undefined)
      return refuse("bad_request", "Ask by version or by label, not by both.", { key });
    if (version !== undefined && at !== undefined)
      return refuse("bad_request", "A version never changes: ask for it without at, or by a label.", { key });
    const unknown = refuseUnknown(key);
    if (unknown !== null) return unknown;
    if (version !== undefined) {
      const row = select.get(key, version);
      if (row !== undefined) return found(row, labelsOf(key));
      const why = version === 0 ? `${key} has no seed.` : `${key} has no version ${version}.`;
      return refuse("version_not_found", why, { key, version });
    }
    const under = label ?? DEFAULT_LABEL;
    const { row, pointers, isKnown } = resolve(key, under, untilOf(at));
    if (row !== undefined) return found(row, pointers);
    const then = at === undefined ? "" : ` as of ${at}`;
    return isKnown
      ? refuse(
          "not_active",
          `Nothing of ${key} ${at === undefined ? "is" : "was"} active under ${under}${then}.`,
          { key },
        )
      : refuse("key_not_found", `There was no template ${key}${then}.`, { key });
  };
}

/** What a label of a key resolved to at a moment, and where all of its labels pointed then. */
function prepareResolve(db: Database.Instance) {
  // SQLite gives the other columns of the row that has the maximum.
  const selectPointers = db.prepare<[Until & { key: string }], Pointer>(`
    SELECT label, version FROM (
      SELECT label, version, max(seq) FROM moves WHERE key = @key AND seq <= @seq AND at <= @time GROUP BY label
    ) WHERE version IS NOT NULL ORDER BY label
  `);
  const selectVersion = db.prepare<[string, number], FullVersionRow>(
    `SELECT ${VERSION_COLUMNS}, v.body FROM versions v WHERE v.key = ? AND v.version = ?`,
  );
  const seedFrom = (table: string) =>
    `SELECT ${VERSION_COLUMNS}, v.body FROM ${table} v
     WHERE v.key = @key AND v.version = 0 AND v.seq <= @seq AND v.created <= @time`;
  const selectSeed = db.prepare<[Until & { key: string }], FullVersionRow>(
    `${seedFrom("versions")} UNION ALL ${seedFrom("past_seeds")} ORDER BY seq DESC LIMIT 1`,
  );
  const hadVersion = db.prepare<[Until & { key: string }]>(
    "SELECT 1 FROM versions WHERE key = @key AND seq <= @seq AND created <= @time LIMIT 1",
  );

  return (key: string, label: string, until: Until) => {
    const asked = { key, ...until };
    const pointers = selectPointers.all(asked);
    const active = pointers.find((pointer) => pointer.label === label)?.version;
    const seed = active === undefined ? selectSeed.get(asked) : undefined;
    // Only production falls back to the seed.
    const row =
      active === undefined ? (label === DEFAULT_LABEL ? seed : undefined) : selectVersion.get(key, active);
    return { row, pointers, isKnown: seed !== undefined || hadVersion.get(asked) !== undefined };
  };
}
