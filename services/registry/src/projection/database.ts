// oxlint-disable-next-line typescript/triple-slash-reference -- the library brings no types of its own
/// <reference path="./better-sqlite3.d.ts" />
import Database from "better-sqlite3";
import { keepHandles } from "./keep-handles.ts";
import { APPLICATION_ID, PROJECTION_VERSION, TABLES } from "./schema.ts";

/** How long to wait for another process to let go of the file, in milliseconds: a predecessor may still be ending. */
const LOCK_WAIT_MS = 2_000;

/** Another process holds the file. */
class ProjectionLockedError extends Error {
  override name = "ProjectionLockedError";
}

/** An open database with our tables, or why the file cannot be gone on with. */
export type Opening =
  | { ok: true; db: Database.Instance }
  /** `ours`: the file is a projection, of another version; otherwise it is kept when a new one takes its place. */
  | { ok: false; reason: string; ours: boolean };

/**
 * Opens a SQLite file, or makes it. WAL and `synchronous NORMAL`: a crash of the process loses nothing, a power failure at
 * most the last moments, which the log brings back. The lock is held for as long as the file is open, since two
 * processes that write one projection would each be wrong about it.
 */
export function openDatabase(path: string): Opening {
  const db = new Database(path, { timeout: LOCK_WAIT_MS });
  keepHandles(db);
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE");
    const id = db.prepare<[], number>("PRAGMA application_id").pluck().get();
    const version = db.prepare<[], number>("PRAGMA user_version").pluck().get();
    const tables = db.prepare<[], number>("SELECT count(*) FROM sqlite_schema").pluck().get() ?? 0;
    const refused = refuseFile({ id, version, tables });
    if (refused !== null) {
      db.close();
      return refused;
    }
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = NORMAL");
    // Takes the lock for good, and makes the tables where there are none.
    db.transaction(() => {
      if (tables > 0) return;
      db.exec(TABLES);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.exec(`PRAGMA user_version = ${PROJECTION_VERSION}`);
    }).immediate();
    return { ok: true, db };
  } catch (error) {
    db.close();
    if (isDamage(error)) return damaged(error);
    if (hasCode(error, "SQLITE_BUSY"))
      throw new ProjectionLockedError(
        `${path} is in use by another process. Give every registry a file of its own (INCIPIT_DB).`,
        { cause: error },
      );
    throw error;
  }
}

function refuseFile(found: { id: unknown; version: unknown; tables: number }): Opening | null {
  if (found.tables === 0) return null;
  if (found.id !== APPLICATION_ID)
    return { ok: false, reason: "the file is a SQLite database of something else", ours: false };
  if (found.version === PROJECTION_VERSION) return null;
  const reason = `the file is a projection of version ${String(found.version)}, this release makes ${PROJECTION_VERSION}`;
  return { ok: false, reason, ours: true };
}

/** Why a damaged file cannot be gone on with; whatever it held, it is kept. */
export function damaged(error: Error): Opening & { ok: false } {
  return { ok: false, reason: `the file is damaged: ${error.message}`, ours: false };
}

/**
 * Whether SQLite found the file damaged, cut off or unreadable, or no database at all: what only a new file mends. It may show
 * with any statement, since SQLite looks at a page when it needs it.
 */
export function isDamage(error: unknown): error is Error {
  return ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR"].some((code) => hasCode(error, code));
}

function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Database.SqliteError && error.code.startsWith(code);
}
