import { refuse, type Problem } from "@incipit/schema";
import type Database from "better-sqlite3";

/** What every query about one key begins with. */
export function prepareKeyFacts(db: Database.Instance) {
  const selectKey = db.prepare<[string]>("SELECT 1 FROM keys WHERE key = ?");
  const selectLabels = db.prepare<[string], { label: string; version: number }>(
    "SELECT label, version FROM pointers WHERE key = ? ORDER BY label",
  );
  return {
    /** The refusal of a key that is not there; null where it is. */
    refuseUnknown: (key: string): { ok: false; problem: Problem } | null => {
      if (selectKey.get(key) !== undefined) return null;
      return refuse("key_not_found", `There is no template ${key}.`, { key });
    },
    /** The labels of a key and where they point, in order. */
    labelsOf: (key: string) => selectLabels.all(key),
  };
}
