import {
  DEFAULT_LABEL,
  ok,
  refuse,
  type Kind,
  type ListItem,
  type ListReply,
  type Result,
  type Syntax,
} from "@incipit/schema";
import type { listPayloadSchema } from "@incipit/schema";
import type Database from "better-sqlite3";
import { parseTags } from "../projection/rows.ts";
import { prepareKeyFacts } from "./key-facts.ts";
import { matchOf } from "./search-words.ts";
import { prepareSnippets } from "./snippets.ts";

type Payload = ReturnType<typeof listPayloadSchema.parse>;
type Row = {
  id: number;
  key: string;
  kind: Kind;
  syntax: Syntax;
  contract: string | null;
  tags: string;
  newest: number | null;
  seed_since: number | null;
};
type Named = Record<string, string | number>;

/**
 * What each filter asks of a key `k`. What a key is filtered by is the version that a plain get gives, or else its newest. A
 * page is made for the filters it has and no others, so that SQLite finds the index for them.
 */
const CONDITIONS = {
  prefix: "k.key >= @prefix AND k.key < @prefix || char(127)",
  kind: "k.kind = @kind",
  contract: "k.contract = @contract",
  tag: "EXISTS (SELECT 1 FROM key_tags t WHERE t.tag = @tag AND t.key = k.key)",
  label: "EXISTS (SELECT 1 FROM pointers p WHERE p.label = @label AND p.key = k.key)",
} as const;
const FILTERS = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

/** `list`: the keys in order of their code units, or of how well they match, page by page. */
export function prepareList(db: Database.Instance) {
  const { labelsOf } = prepareKeyFacts(db);
  const matchIn = prepareSnippets(db);
  const selectRank = db
    .prepare<[string, string], number>(
      `SELECT s.rank FROM keys k JOIN search s ON s.rowid = k.id WHERE s.search MATCH ? AND k.key = ?`,
    )
    .pluck();
  const selectRow = db.prepare<[number], Row>(`
    SELECT k.id, k.key, v.kind, v.syntax, v.contract, v.tags, k.newest, k.seed_since
    FROM keys k JOIN versions v ON v.key = k.key AND v.version = k.served WHERE k.id = ?
  `);
  // There are few of them: one for each set of filters that is asked for.
  const prepared = new Map<string, Database.Statement<[Named], number>>();
  function statement(sql: string): Database.Statement<[Named], number> {
    const known = prepared.get(sql) ?? db.prepare<[Named], number>(sql).pluck();
    prepared.set(sql, known);
    return known;
  }

  function itemOf(id: number): ListItem {
    const row = selectRow.get(id);
    if (row === undefined) throw new Error(`the key ${id}, just found, is not there`);
    const { key, kind, syntax, contract, newest } = row;
    const labels = Object.fromEntries(labelsOf(key).map(({ label, version }) => [label, version]));
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

  function page(ids: readonly number[], limit: number, total: number, match: string | null): ListReply {
    const items = ids.slice(0, limit).map((id) => {
      const found = match === null ? undefined : matchIn(match, id);
      return found === undefined ? itemOf(id) : { ...itemOf(id), match: found };
    });
    return { items, total, after: ids.length > limit ? (items.at(-1)?.key ?? null) : null };
  }

  return function list(payload: Payload): Result<ListReply> {
    const { limit, after = "", q } = payload;
    const present = FILTERS.filter((name) => payload[name] !== undefined && payload[name] !== "");
    const values: Named = { limit: limit + 1, after };
    for (const name of present) values[name] = payload[name] ?? "";
    const filters = present.map((name) => ` AND ${CONDITIONS[name]}`).join("");
    if (q === undefined) {
      const where = `FROM keys k WHERE 1${filters}`;
      const ids = statement(`SELECT k.id ${where} AND k.key > @after ORDER BY k.key LIMIT @limit`).all(
        values,
      );
      return ok(page(ids, limit, statement(`SELECT count(*) ${where}`).get(values) ?? 0, null));
    }

    const parsed = matchOf(q);
    if (!parsed.ok) return parsed;
    const match = parsed.value;
    const where = `FROM search s JOIN keys k ON k.id = s.rowid WHERE s.search MATCH @match${filters}`;
    const found = { ...values, match };
    const total = statement(`SELECT count(*) ${where}`).get(found) ?? 0;
    if (after === "")
      return ok(
        page(
          statement(`SELECT k.id ${where} ORDER BY s.rank, k.key LIMIT @limit`).all(found),
          limit,
          total,
          match,
        ),
      );
    const rank = selectRank.get(match, after);
    if (rank === undefined)
      return refuse(
        "bad_request",
        `after: q does not find ${after} (any more): begin at the first page again.`,
      );
    const behind = " AND (s.rank > @rank OR (s.rank = @rank AND k.key > @after))";
    const ids = statement(`SELECT k.id ${where}${behind} ORDER BY s.rank, k.key LIMIT @limit`).all({
      ...found,
      rank,
    });
    return ok(page(ids, limit, total, match));
  };
}
