import { CHAIN_START, type ChainState } from "@incipit/events";
import type Database from "better-sqlite3";

/** Which log a projection is of, and by which rules its messages are admitted. */
export type Origin = {
  stream: string;
  /** Creation time of the stream, as its server tells it. */
  created: string;
  /** Stands for the subject grammar and the verification keys: other rules admit other messages. */
  admission: string;
};

/** An event of a later release that the log holds. */
type Newer = { seq: number; type: string; v: number };

/** How far a projection has come. */
export type Checkpoint = Origin & {
  /** The last position applied, whatever became of it. */
  seq: number;
  chain: ChainState;
  /** The position of the chain's last event; 0 before the first. */
  headSeq: number;
  /** The first event this release does not know; commands are refused from there on. */
  newer: Newer | null;
};

/** Before the first message of a log. */
export function startOf(origin: Origin): Checkpoint {
  return { ...origin, seq: 0, chain: CHAIN_START, headSeq: 0, newer: null };
}

type Row = {
  stream: string;
  created: string;
  admission: string;
  seq: number;
  chain_index: number;
  chain_head: string;
  head_seq: number;
  newer_seq: number | null;
  newer_type: string | null;
  newer_v: number | null;
};

/** Reads and writes the one row of the checkpoint. */
export function prepareCheckpoint(db: Database.Instance) {
  const select = db.prepare<[], Row>("SELECT * FROM checkpoint");
  const replace = db.prepare<[Row]>(`
    REPLACE INTO checkpoint VALUES
      (1, @stream, @created, @admission, @seq, @chain_index, @chain_head, @head_seq, @newer_seq, @newer_type, @newer_v)
  `);
  return {
    read: (): Checkpoint | null => {
      const row = select.get();
      if (row === undefined) return null;
      const { stream, created, admission, seq, newer_seq, newer_type, newer_v } = row;
      return {
        stream,
        created,
        admission,
        seq,
        chain: { index: row.chain_index, head: row.chain_head },
        headSeq: row.head_seq,
        newer:
          newer_seq === null || newer_type === null || newer_v === null
            ? null
            : { seq: newer_seq, type: newer_type, v: newer_v },
      };
    },
    write: ({ stream, created, admission, seq, chain, headSeq, newer }: Checkpoint): void => {
      replace.run({
        stream,
        created,
        admission,
        seq,
        chain_index: chain.index,
        chain_head: chain.head,
        head_seq: headSeq,
        newer_seq: newer?.seq ?? null,
        newer_type: newer?.type ?? null,
        newer_v: newer?.v ?? null,
      });
    },
  };
}
