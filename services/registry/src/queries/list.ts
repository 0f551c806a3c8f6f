import { DEFAULT_LABEL, type Kind, type ListItem, type ListReply, type Syntax } from "@incipit/schema";
import type { listPayloadSchema } from "@incipit/schema";
import type Database from "better-sqlite3";
import { parseTags } from "../projection/rows.ts";
import { prepareKeyFacts } from "./key-facts.ts";

type Payload = ReturnType<typeof listPayloadSchema.parse>;
type Filter = {
  prefix: string;
  tag: string | null;
  kind: string | null;
  contract: string | null;
  label: string | null;
};
type Row = {
  key: string;
  kind: Kind;
  syntax: Syntax;
  contract: string | null;
  tags: string;
  newest: number | null;
  seed_since: number | null;
};

/** What a key is listed and filtered by is the version that a plain get gives, or else its newest. */
const MATCHES = `
  FROM keys k JOIN versions v ON v.key = k.key AND v.version = k.served
  WHERE k.key >= @prefix AND substr(k.key, 1, length(@prefix)) = @prefix
    AND (@kind IS NULL OR v.kind = @kind)
    AND (@contract IS NULL OR v.contract = @contract)
    AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(v.tags) t WHERE t.value = @tag))
    AND (@label IS NULL OR EXISTS (SELECT 1 FROM pointers p WHERE p.key = k.key AND p.label = @label))
`;

/** `list`: the keys in order of their code units, page by page. */
export function prepareList(db: Database.Instance) {
  const select = db.prepare<[Filter & { after: string; limit: number }], Row>(`
    SELECT k.key, v.kind, v.syntax, v.contract, v.tags, k.newest, k.seed_since
    ${MATCHES} AND k.key > @after ORDER BY k.key LIMIT @limit
  `);
  const count = db.prepare<[Filter], number>(`SELECT count(*) ${MATCHES}`).pluck();
  const { labelsOf } = prepareKeyFacts(db);

  function itemOf(row: Row): ListItem {
    const labels = Object.fromEntries(labelsOf(row.key).map(({ label, version }) => [label, version]));
    const { key, kind, syntax, contract, newest } = row;
    return {
      key,
      kind,
      syntax,
      contract,
      tags: parseTags(row.tags),
      active: labels[DEFAULT_LABEL] ?? null,
      newest,
      seed: row.seed_since !== null,
      labels,
    };
  }

  return function list(payload: Payload): ListReply {
    const { prefix = "", tag = null, kind = null, contract = null, label = null } = payload;
    const filter = { prefix, tag, kind, contract, label };
    const rows = select.all({ ...filter, after: payload.after ?? "", limit: payload.limit + 1 });
    const items = rows.slice(0, payload.limit).map(itemOf);
    const after = rows.length > payload.limit ? (items.at(-1)?.key ?? null) : null;
    return { items, total: count.get(filter) ?? 0, after };
  };
}
