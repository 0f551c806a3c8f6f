import type { Contract, Kind, Result, Syntax, TemplateVersion } from "@incipit/schema";
import type { Parsed } from "./language.ts";

/** A stored version without its body: its hash stands for it. */
type VersionFacts = Omit<TemplateVersion, "body">;

/** Where a label points, since which log position, and the kind of what it points at. */
export type Pointer = { version: number; seq: number; kind: Kind };

/** When a label was moved, and to which version; null: it was taken away. */
export type Move = { seq: number; version: number | null };

/** A published version of a contract; `contract` is null where this release cannot read its document. */
export type PublishedContract = {
  name: string;
  version: number;
  contract: Contract | null;
  hash: string;
  seq: number;
  created: string;
};

/** An event of this very command that the log holds already: from a try before, here or in another instance. */
export type PastEvent = { seq: number; at: string; commandHash: string } & (
  | { type: "TemplateAdded"; version: number }
  | { type: "TemplateActivated"; label: string; version: number; previous: number | null }
  | { type: "TemplateDeactivated"; label: string; previous: number }
  | { type: "ContractPublished"; version: number }
);

/** A version as includes are concerned: what it includes itself, or why it does not parse. */
export type Included = {
  key: string;
  version: number;
  kind: Kind;
  parsed: Result<Parsed>;
  /** The contract it is written against. */
  contract: string | null;
  /** The body; null where nothing is to be checked against a contract. */
  source: Source | null;
};

/** A body, and how it is read. */
export type Source = { body: string; syntax: Syntax };

/** An active template that is written against a contract, and what it meets under a label. */
export type ContractUser = { user: Included & { source: Source }; view: View };

/**
 * How includes resolve from one point of view, for every partial that the command's template reaches; null where there
 * is nothing.
 */
export type View = {
  /**
   * `stored`: a version that is only stored; partials resolve under `production`, else to the seed, else to the newest.
   * `served`: what a render under `label` would meet: under the label, else under `production`, else the seed.
   */
  scope: "stored" | "served";
  label: string;
  partials: ReadonlyMap<string, Included | null>;
};

/**
 * The active templates under one label that include the command's key, directly or through others, and what they meet
 * before and after the command's move.
 */
export type Affected = { users: readonly Included[]; before: View; after: View };

/** Just what one decision needs to know, as plain data, all of it read at one log position. */
export type Facts = {
  position: number;
  past: readonly PastEvent[];
  /** Another key, or for `publish` another contract, that differs only in case. */
  twin: string | null;
  /** The highest stored version there ever was. */
  newest: VersionFacts | null;
  /** The seed as the log holds it now, and the position at which the key first had one. */
  seed: VersionFacts | null;
  seedSince: number | null;
  /** The key's labels. */
  pointers: ReadonlyMap<string, Pointer>;
  /** The last move of the label that an `add` is to activate; null where it never moved, and for other commands. */
  lastMove: Move | null;
  /** The stored version that the command names, or that an earlier try of it has stored. */
  target: TemplateVersion | null;
  views: readonly View[];
  /** By label: who would meet another version of the key, or none, once the command has moved a label. */
  affected: readonly Affected[];
  /** The newest version of each contract that a check needs; one that is not there was never published. */
  contracts: ReadonlyMap<string, PublishedContract>;
  /** For `publish`: who is live on the contract. */
  contractUsers: readonly ContractUser[];
  /** For `publish`: what an earlier try of it has stored, and the version before that. */
  published: (PublishedContract & { before: Contract | null }) | null;
};
