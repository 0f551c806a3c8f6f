import type { AdmitOptions } from "@incipit/events";
import type Database from "better-sqlite3";
import type { Parse } from "../domain/language.ts";
import { prepareApplyBatch, type ApplyBatch } from "./apply-batch.ts";
import { prepareCheckpoint, startOf, type Checkpoint, type Origin } from "./checkpoint.ts";
import { damaged, isDamage, openDatabase, type Opening } from "./database.ts";
import { prepareLoadFacts, type LoadFacts } from "./load-facts.ts";

/** What reading the log, and deciding on it, takes. */
export type ProjectionOptions = { admission: AdmitOptions; parse: Parse };

/** The state that the log says, in SQLite: one writer, which is this process. */
export type Projection = {
  checkpoint: () => Checkpoint;
  /** Begins the projection of a log, where the database is new. */
  begin: (origin: Origin) => void;
  /** False before `begin`. */
  isBegun: () => boolean;
  applyBatch: ApplyBatch;
  loadFacts: LoadFacts;
  /** For reading only: who prepares queries on it changes nothing. */
  db: Database.Instance;
  /** Why the message at a position was skipped; null where it was not. */
  rejectionAt: (seq: number) => string | null;
  close: () => void;
};

/** A projection, or why the file is none that can be gone on with. */
export type OpenedProjection = { ok: true; projection: Projection } | Exclude<Opening, { ok: true }>;

/**
 * Opens the projection in a file, or in memory (`":memory:"`). A file that is missing is made; one that is corrupt, foreign
 * or of another version is reported, to be rebuilt; one that another process holds is an exception.
 */
export function openProjection(path: string, options: ProjectionOptions): OpenedProjection {
  const opened = openDatabase(path);
  if (!opened.ok) return opened;
  try {
    return { ok: true, projection: projectionOf(opened.db, options) };
  } catch (error) {
    opened.db.close();
    if (isDamage(error)) return damaged(error);
    throw error;
  }
}

function projectionOf(db: Database.Instance, options: ProjectionOptions): Projection {
  const stored = prepareCheckpoint(db);
  let current = stored.read();
  const checkpoint = () => {
    if (current === null) throw new Error("the projection has not begun");
    return current;
  };
  const selectRejection = db.prepare<[number], string>("SELECT reason FROM rejected WHERE seq = ?").pluck();
  return {
    checkpoint,
    begin(origin) {
      current = startOf(origin);
      stored.write(current);
    },
    isBegun: () => current !== null,
    applyBatch: prepareApplyBatch(db, options, {
      get: checkpoint,
      set: (next) => {
        current = next;
      },
    }),
    loadFacts: prepareLoadFacts(db, () => checkpoint().seq, options.parse),
    db,
    rejectionAt: (seq) => selectRejection.get(seq) ?? null,
    close: () => db.close(),
  };
}
