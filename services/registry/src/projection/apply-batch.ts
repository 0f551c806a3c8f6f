import { admit, type AdmitOptions, type Envelope, type LogRecord } from "@incipit/events";
import type Database from "better-sqlite3";
import type { Parse } from "../domain/language.ts";
import { prepareApply } from "./apply.ts";
import { prepareCheckpoint, type Checkpoint } from "./checkpoint.ts";

/** What became of one message of the log. */
export type Applied =
  | { seq: number; status: "applied"; envelope: Envelope }
  | { seq: number; status: "newer"; envelope: Envelope }
  | { seq: number; status: "rejected"; subject: string; reason: string };

/** Applies messages of the log in order; those at or before the checkpoint are passed over. */
export type ApplyBatch = (records: readonly LogRecord[]) => Applied[];

/**
 * Prepares `applyBatch`: one transaction for the events and the checkpoint, so that a crash at any moment leaves both or
 * neither. `checkpoint.get` gives the checkpoint the database holds, `checkpoint.set` is told each new one once it is
 * committed.
 */
export function prepareApplyBatch(
  db: Database.Instance,
  { admission, parse }: { admission: AdmitOptions; parse: Parse },
  checkpoint: { get: () => Checkpoint; set: (checkpoint: Checkpoint) => void },
): ApplyBatch {
  const apply = prepareApply(db, parse);
  const { write } = prepareCheckpoint(db);
  const reject = db.prepare<[number, string, string]>("REPLACE INTO rejected VALUES (?, ?, ?)");

  function applyOne(record: LogRecord, at: Checkpoint): { applied: Applied; next: Checkpoint } {
    const { seq, subject } = record;
    const rejected = (reason: string, next: Checkpoint) => {
      reject.run(seq, subject, reason);
      return { applied: { seq, status: "rejected" as const, subject, reason }, next };
    };
    const admitted = admit(record, at.chain, admission);
    if (admitted.status === "rejected") return rejected(admitted.reason, { ...at, seq });
    const { envelope, chain } = admitted;
    const next = { ...at, seq, chain, headSeq: seq };
    if (admitted.status === "newer") {
      const newer = at.newer ?? { seq, type: envelope.type, v: envelope.v };
      return { applied: { seq, status: "newer", envelope }, next: { ...next, newer } };
    }
    const contradiction = apply(admitted.event, { seq, envelope });
    if (contradiction !== null) return rejected(contradiction, next);
    return { applied: { seq, status: "applied", envelope }, next };
  }

  const run = db.transaction((records: readonly LogRecord[]) => {
    const outcomes: Applied[] = [];
    let at = checkpoint.get();
    for (const record of records) {
      if (record.seq <= at.seq) continue;
      const { applied, next } = applyOne(record, at);
      outcomes.push(applied);
      at = next;
    }
    if (outcomes.length > 0) write(at);
    return { outcomes, at };
  });

  return (records) => {
    const { outcomes, at } = run.immediate(records);
    checkpoint.set(at);
    return outcomes;
  };
}
