import type { AdmitOptions } from "@incipit/events";
import type Database from "better-sqlite3";
import type { Parse } from "../domain/language.ts";
import { prepareQueries, type Queries } from "../queries/queries.ts";
import { prepareApplyBatch, type ApplyBatch } from "./apply-batch.ts";
import { prepareCheckpoint, startOf, type Checkpoint, type Origin } from "./checkpoint.ts";
import { openDatabase, type Opening } from "./database.ts";
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
  queries: Queries;
  /** Why the message at a position was skipped; null where it was not. */
  rejectionAt: (seq: number) => string | null;
  /** Messages skipped so far. */
  rejectedCount: () => number;
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
  return opened.ok ? { ok: true, projection: projectionOf(opened.db, options) } : opened;
}

function projectionOf(db: Database.Instance, { admission, parse }: ProjectionOptions): Projection {
  const stored = prepareCheckpoint(db);
  let current = stored.read();
  const checkpoint = () => {
    if (current === null) throw new Error("the projection has not begun");
    return current;
  };
  const selectRejection = db.prepare<[number], string>("SELECT reason FROM rejected WHERE seq = ?").pluck();
  const countRejected = db.prepare<[], number>("SELECT count(*) FROM rejected").pluck();
  return {
    checkpoint,
    begin(origin) {
      current = startOf(origin);
      stored.write(current);
    },
    isBegun: () => current !== null,
    applyBatch: prepareApplyBatch(db, admission, {
      get: checkpoint,
      set: (next) => {
        current = next;
      },
    }),
    loadFacts: prepareLoadFacts(db, () => checkpoint().seq, parse),
    queries: prepareQueries(db),
    rejectionAt: (seq) => selectRejection.get(seq) ?? null,
    rejectedCount: () => countRejected.get() ?? 0,
    close: () => db.close(),
  };
}
