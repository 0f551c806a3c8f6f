import { existsSync, renameSync, rmSync } from "node:fs";
import type { Logger } from "@incipit/bus";
import type { LogRecord } from "@incipit/events";
import { createPositionGate } from "../position-gate.ts";
import type { Applied } from "./apply-batch.ts";
import type { Origin } from "./checkpoint.ts";
import { openProjection, type Projection, type ProjectionOptions } from "./projection.ts";

/** The projection in use, and how it is exchanged for a new one. */
export type Store = {
  /** Opens the file. Returns null, or why it must be rebuilt first. A file in use elsewhere is an exception. */
  open: () => string | null;
  /** The projection in use; a `NoProjectionError` where there is none. */
  current: () => Projection;
  isOpen: () => boolean;
  /** The position the projection has reached; 0 before it is opened. */
  seq: () => number;
  apply: (records: readonly LogRecord[]) => Applied[];
  /** True once the projection has reached a position, false if that takes longer than the time given. */
  reached: (seq: number, timeoutMs: number) => Promise<boolean>;
  /** Lets go of a file that has turned out damaged, and keeps it aside: nothing answers until it is rebuilt. */
  discard: () => void;
  /**
   * Makes the projection anew, in a file beside the one in use, which goes on answering until the new one is `fill`ed; then
   * they are exchanged at one stroke.
   */
  rebuild: (origin: Origin, fill: (projection: Projection) => Promise<void>) => Promise<void>;
  close: () => void;
};

/** There is no projection to answer from: it is being made anew. */
export class NoProjectionError extends Error {
  override name = "NoProjectionError";
}

const MEMORY = ":memory:";

/** A store in a file, or in memory (`":memory:"`). */
export function createStore(path: string, options: ProjectionOptions, logger: Logger): Store {
  let projection: Projection | null = null;
  /** Whether the file in place may be overwritten: it is a projection of ours, or there is none. */
  let replaceable = true;
  const seq = () => (projection?.isBegun() === true ? projection.checkpoint().seq : 0);
  const gate = createPositionGate(seq);

  function openAt(place: string): Projection {
    const opened = openProjection(place, options);
    if (!opened.ok) throw new Error(`${place}, just made, cannot be opened: ${opened.reason}`);
    return opened.projection;
  }

  function current(): Projection {
    if (projection === null) throw new NoProjectionError("the projection is not open");
    return projection;
  }

  function setAside() {
    if (existsSync(path)) {
      const aside = `${path}.set-aside`;
      removeDatabase(aside);
      renameSync(path, aside);
      logger.warn({ path, aside }, "the file cannot be gone on with; it is kept aside");
    }
    // What SQLite keeps beside the file would otherwise be read into the next one.
    removeDatabase(path);
    replaceable = true;
  }

  function exchange(beside: string) {
    projection?.close();
    projection = null;
    if (replaceable) removeDatabase(path);
    else setAside();
    renameSync(beside, path);
    projection = openAt(path);
  }

  return {
    open() {
      const opened = openProjection(path, options);
      if (!opened.ok) {
        replaceable = opened.ours;
        return opened.reason;
      }
      projection = opened.projection;
      return null;
    },
    current,
    isOpen: () => projection !== null,
    seq,
    apply(records) {
      const applied = current().applyBatch(records);
      gate.advanced();
      return applied;
    },
    reached: gate.wait,
    discard() {
      try {
        projection?.close();
      } catch (err) {
        logger.warn({ err, path }, "the damaged file could not be closed in order");
      }
      projection = null;
      setAside();
    },
    async rebuild(origin, fill) {
      const beside = path === MEMORY ? MEMORY : `${path}.rebuild`;
      if (beside !== MEMORY) removeDatabase(beside);
      const next = openAt(beside);
      try {
        next.begin(origin);
        await fill(next);
      } catch (error) {
        next.close();
        throw error;
      }
      if (beside === MEMORY) {
        projection?.close();
        projection = next;
      } else {
        // Closing moves the write-ahead log into the file, so that the file alone is the database.
        next.close();
        exchange(beside);
      }
      gate.advanced();
    },
    close() {
      projection?.close();
      projection = null;
    },
  };
}

function removeDatabase(path: string) {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}
