import { parseContract, type Json } from "@incipit/schema";
import type Database from "better-sqlite3";
import type { PublishedContract } from "../domain/facts.ts";

type Row = { name: string; version: number; document: string; hash: string; seq: number; created: string };

/** Contracts kept parsed, the last used: each command of a template reads its own. */
const KEPT = 100;

/** Prepares loading contracts, as the checks need them. */
export function prepareContracts(db: Database.Instance) {
  const columns = "name, version, document, hash, seq, created";
  const selectNewest = db.prepare<[string], Row>(
    `SELECT ${columns} FROM contracts WHERE name = ? ORDER BY version DESC LIMIT 1`,
  );
  const selectVersion = db.prepare<[string, number], Row>(
    `SELECT ${columns} FROM contracts WHERE name = ? AND version = ?`,
  );
  const selectTwin = db
    .prepare<[string, string], string>(
      "SELECT name FROM contracts WHERE name = ? COLLATE NOCASE AND name <> ? LIMIT 1",
    )
    .pluck();
  const kept = new Map<string, PublishedContract>();

  function published(row: Row | undefined): PublishedContract | null {
    if (row === undefined) return null;
    const { name, version, document, hash, seq, created } = row;
    const id = `${name}@${version}`;
    const known = kept.get(id);
    if (known !== undefined) {
      kept.delete(id);
      kept.set(id, known);
      return known;
    }
    const parsed = parseContract(name, JSON.parse(document) as Json);
    const contract = { name, version, contract: parsed.ok ? parsed.value : null, hash, seq, created };
    kept.set(id, contract);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return contract;
  }

  return {
    /** The name of a contract that differs from this one only in case; null where there is none. */
    twin: (name: string): string | null => selectTwin.get(name, name) ?? null,
    newest: (name: string) => published(selectNewest.get(name)),
    version: (name: string, version: number) => published(selectVersion.get(name, version)),
    /** The newest of each, by name; those that were never published are left out. */
    newestOf(names: Iterable<string | null>): Map<string, PublishedContract> {
      const found = new Map<string, PublishedContract>();
      for (const name of new Set(names)) {
        const contract = name === null ? null : published(selectNewest.get(name));
        if (contract !== null) found.set(contract.name, contract);
      }
      return found;
    },
  };
}
