import type Database from "better-sqlite3";

/** Databases and statements of this process, for as long as it runs. */
const kept: unknown[] = [];

/**
 * Keeps a database and every statement that is prepared on it from being collected. Since 24.21, Node aborts the process
 * when an object of a native addon of better-sqlite3's kind is collected (`RemoveEnvironmentCleanupHook`: "Assertion
 * failed: (env) != nullptr"). A projection prepares some fifty statements once, and a process opens few projections, so
 * that next to nothing is kept. `pragma` and `iterate` make objects of their own that this cannot reach: neither is used.
 */
export function keepHandles(db: Database.Instance): void {
  kept.push(db);
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    const statement = prepare(sql);
    kept.push(statement);
    return statement as never;
  };
}
