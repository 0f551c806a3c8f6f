import { DEFAULT_LABEL, type LabelItem, type labelsPayloadSchema, type LabelsReply } from "@incipit/schema";
import type Database from "better-sqlite3";

type Payload = ReturnType<typeof labelsPayloadSchema.parse>;
type Last = NonNullable<LabelItem["last"]>;

/**
 * `labels`: `production` and every label that was ever moved, by name. One that was taken away from every key is listed
 * still: what once had a meaning does not vanish.
 */
export function prepareLabels(db: Database.Instance) {
  // Each label is sought behind the one before: there are few of them and very many moves.
  const selectNames = db
    .prepare<[], string>(
      `WITH RECURSIVE named (label) AS (
         SELECT min(label) FROM moves
         UNION ALL
         SELECT (SELECT min(label) FROM moves m WHERE m.label > n.label) FROM named n WHERE n.label IS NOT NULL
       )
       SELECT label FROM named WHERE label IS NOT NULL`,
    )
    .pluck();
  const countKeys = db.prepare<[string], number>("SELECT count(*) FROM pointers WHERE label = ?").pluck();
  const selectLast = db.prepare<[string], Last>(
    "SELECT key, actor, at, seq FROM moves WHERE label = ? ORDER BY seq DESC LIMIT 1",
  );

  return function labels({ limit, after = "" }: Payload): LabelsReply {
    const names = [...new Set([...selectNames.all(), DEFAULT_LABEL])].toSorted((a, b) => (a < b ? -1 : 1));
    const left = names.filter((name) => name > after);
    const items = left.slice(0, limit).map((label): LabelItem => ({
      label,
      keys: countKeys.get(label) ?? 0,
      last: selectLast.get(label) ?? null,
    }));
    return {
      items,
      total: names.length,
      after: left.length > limit ? (items.at(-1)?.label ?? null) : null,
    };
  };
}
