import type { RejectedItem, StatusReply } from "@incipit/schema";
import type Database from "better-sqlite3";
import type { Checkpoint } from "../projection/checkpoint.ts";

/** Skipped messages that a status shows. */
const SHOWN_REJECTED = 10;

/** The part of a status that the projection's tables hold. */
export function prepareCounts(db: Database.Instance) {
  const select = db.prepare<[], StatusReply["counts"]>(`
    SELECT
      (SELECT count(*) FROM keys) AS keys,
      (SELECT count(*) FROM versions WHERE version > 0) AS versions,
      (SELECT count(*) FROM keys WHERE seed_since IS NOT NULL) AS seeds,
      (SELECT count(*) FROM moves) AS activations
  `);
  const count = db.prepare<[], number>("SELECT count(*) FROM rejected").pluck();
  const latest = db.prepare<[number], RejectedItem>(
    "SELECT seq, subject, reason FROM rejected ORDER BY seq DESC LIMIT ?",
  );
  /** Messages skipped so far. */
  const rejectedCount = () => count.get() ?? 0;
  return {
    rejectedCount,
    counts(): Pick<StatusReply, "counts" | "rejected"> {
      const counted = select.get();
      if (counted === undefined) throw new Error("a SELECT without FROM gave no row");
      return { counts: counted, rejected: { count: rejectedCount(), latest: latest.all(SHOWN_REJECTED) } };
    },
  };
}

/** `status`: how far this instance is, what it skipped, and what there is to know about the server. Pure. */
export function statusOf(
  about: Pick<StatusReply, "instance" | "lag" | "server">,
  checkpoint: Checkpoint,
  counted: Pick<StatusReply, "counts" | "rejected">,
): StatusReply {
  const { stream, seq, chain, newer } = checkpoint;
  const { instance, lag, server } = about;
  return { instance, stream, seq, lag, chain, ...counted, newerThanUs: newer, server };
}
