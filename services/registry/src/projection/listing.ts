import { DEFAULT_LABEL } from "@incipit/schema";
import type Database from "better-sqlite3";
import { parseTags } from "./rows.ts";

type Listed = {
  id: number;
  key: string;
  seq: number;
  kind: string;
  contract: string | null;
  tag_list: string;
  tags: string;
  note: string;
  body: string;
};

/**
 * Prepares keeping what a key is listed, filtered and found by: the version that it serves. `begin` is called before
 * anything of the key is written, and what it gives afterwards: the index of words has to be told the old text to forget it.
 */
export function prepareListing(db: Database.Instance): { begin: (key: string) => () => void } {
  const select = db.prepare<[string], Listed>("SELECT * FROM listed WHERE key = ?");
  const refreshServed = db.prepare<[{ key: string; label: string }]>(`
    UPDATE keys SET served = coalesce(
      (SELECT version FROM pointers p WHERE p.key = keys.key AND p.label = @label),
      CASE WHEN seed_since IS NULL THEN newest ELSE 0 END
    ) WHERE key = @key
  `);
  const setListed = db.prepare<[string, string | null, number]>(
    "UPDATE keys SET kind = ?, contract = ? WHERE id = ?",
  );
  const deleteTags = db.prepare<[string]>("DELETE FROM key_tags WHERE key = ?");
  const insertTag = db.prepare<[string, string]>("INSERT INTO key_tags VALUES (?, ?) ON CONFLICT DO NOTHING");
  const forget = db.prepare<[number, string, string, string, string]>(
    "INSERT INTO search (search, rowid, key, tags, note, body) VALUES ('delete', ?, ?, ?, ?, ?)",
  );
  const index = db.prepare<[number, string, string, string, string]>(
    "INSERT INTO search (rowid, key, tags, note, body) VALUES (?, ?, ?, ?, ?)",
  );

  return {
    begin(key) {
      const before = select.get(key);
      return () => {
        refreshServed.run({ key, label: DEFAULT_LABEL });
        const after = select.get(key);
        if (after === undefined) throw new Error(`${key} serves nothing, though it has a version`);
        if (before?.seq === after.seq) return;
        if (before !== undefined) {
          forget.run(before.id, before.key, before.tags, before.note, before.body);
          deleteTags.run(key);
        }
        setListed.run(after.kind, after.contract, after.id);
        for (const tag of parseTags(after.tag_list)) insertTag.run(tag, key);
        index.run(after.id, after.key, after.tags, after.note, after.body);
      };
    },
  };
}
