import type { Contract, Result } from "@incipit/schema";

/** Where one subject of `now` stands: what the last event on it said, and where in the log that was. */
export type Pointer = {
  /** The version that is live; null after a deactivation. 0 for a seed. */
  version: number | null;
  seq: number;
  /** W3C traceparent of the append that moved it, or null. */
  trace: string | null;
};

/** All that is known of one key. Never changed in place: a change makes a new one. */
export type KeyPointers = {
  seed: Pointer | null;
  /** By label. */
  active: ReadonlyMap<string, Pointer>;
};

/** The newest version of a contract. */
export type LiveContract = {
  name: string;
  version: number;
  seq: number;
  /** What its document says, or why this release cannot read it. */
  contract: Result<Contract>;
};

/** The contracts as one render sees them. */
export type ContractView = { contract: (name: string) => LiveContract | undefined };

/** The pointers as one render sees them. */
export type PointerView = {
  /** What is known of a key; undefined where no event of `now` ever named it. */
  of: (key: string) => KeyPointers | undefined;
};

/** Nothing known yet. */
export const NO_POINTERS: KeyPointers = { seed: null, active: new Map() };

/** A key's pointers with one label moved. */
export function withActive(pointers: KeyPointers, label: string, pointer: Pointer): KeyPointers {
  return { seed: pointers.seed, active: new Map(pointers.active).set(label, pointer) };
}

/** A key's pointers with another seed. */
export function withSeed(pointers: KeyPointers, seed: Pointer): KeyPointers {
  return { seed, active: pointers.active };
}
