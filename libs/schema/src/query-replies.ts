import type { Finding } from "./problem.ts";
import type { JsonObject, Kind, OnError, Syntax } from "./template.ts";

/** A version as written, with its settings and where it came from. */
export type TemplateVersion = {
  key: string;
  /** 0: the seed. */
  version: number;
  kind: Kind;
  syntax: Syntax;
  body: string;
  source: "seed" | "user";
  contract: string | null;
  onError: OnError;
  config: JsonObject | null;
  tags: string[];
  note: string;
  /** sha-256 of the body, hex. */
  hash: string;
  actor: string;
  /** ISO-8601 UTC. */
  created: string;
  seq: number;
};

/** The reply of `get`: the version, and the labels that point at it. */
export type GetReply = TemplateVersion & { labels: string[] };

/** One item of `versions`: everything but the body. */
export type VersionItem = Omit<TemplateVersion, "body"> & { bytes: number; labels: string[] };

/** The reply of `versions`: highest first. A cursor is null where there is no further page that way. */
export type VersionsReply = {
  key: string;
  items: VersionItem[];
  total: number;
  before: number | null;
  after: number | null;
};

/** One move of a label. `version` null: it was taken away. */
export type ActivationItem = {
  key: string;
  label: string;
  version: number | null;
  previous: number | null;
  note: string;
  actor: string;
  at: string;
  seq: number;
};

/** The reply of `activations`: newest first. `key` null: of all keys. */
export type ActivationsReply = { key: string | null; items: ActivationItem[]; before: number | null };

/** One key of `list`. */
export type ListItem = {
  key: string;
  kind: Kind;
  syntax: Syntax;
  contract: string | null;
  tags: string[];
  /** The version `production` points at, or null. */
  active: number | null;
  /** The newest stored version, or null where there is only a seed. */
  newest: number | null;
  seed: boolean;
  /** All labels and where they point. */
  labels: Record<string, number>;
  /** With `q`: a field it was found in, the text around, and where in it the matches stand: UTF-16 units, end exclusive. */
  match?: { field: SearchField; snippet: string; ranges: [start: number, end: number][] };
};

/** Where `list` with `q` looks. */
export const SEARCH_FIELDS = ["key", "tags", "note", "body"] as const;
/** One of `SEARCH_FIELDS`. */
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** The reply of `list`: keys in order of their code units, with `q` the best matches first. */
export type ListReply = { items: ListItem[]; total: number; after: string | null };

/** A label, as far as all keys are concerned. */
export type LabelItem = {
  label: string;
  /** How many keys it points at a version of; 0: it was taken away from all of them. */
  keys: number;
  /** The last move of it; null for `production` where nothing was ever active. */
  last: { key: string; actor: string; at: string; seq: number } | null;
};
/** The reply of `labels`: `production`, and every label that was ever moved, by name. */
export type LabelsReply = { items: LabelItem[]; total: number; after: string | null };

/** One side of a `diff`. `label`: the one that was asked for, or null. */
type DiffSide = { version: number; label: string | null; hash: string };
/** The reply of `diff`: unified diffs, empty where nothing differs. */
export type DiffReply = {
  key: string;
  from: DiffSide;
  to: DiffSide;
  body: string;
  /** Of the settings as JSON, a field or item a line. */
  settings: string;
};

/** A version of a template that includes the key, directly or through others. */
export type DependentVersion = {
  version: number;
  /** The labels that point at it. */
  labels: string[];
  /** Whether it answers under some label: a seed does where nothing is active under production. */
  live: boolean;
};
/** A template that includes the key: its versions that do, of those that a label points at, its seed and its newest. */
export type DependentItem = {
  key: string;
  versions: DependentVersion[];
  /** The shortest way from it to the key, both named: two keys where it includes the key directly. */
  path: string[];
};
/** The reply of `dependents`: by key. */
export type DependentsReply = { key: string; items: DependentItem[]; total: number; after: string | null };

/** A message of the log that was skipped. */
export type RejectedItem = { seq: number; subject: string; reason: string };

/** The reply of `status`. */
export type StatusReply = {
  instance: string;
  stream: string;
  /** The last log position applied here. */
  seq: number;
  /** Messages of the log not yet applied here. */
  lag: number;
  /** The chain: valid events so far, and the hash of the last. */
  chain: { index: number; head: string };
  counts: { keys: number; versions: number; seeds: number; activations: number };
  rejected: { count: number; latest: RejectedItem[] };
  /** Set where the log holds events of a later release: queries go on, commands are refused. */
  newerThanUs: { seq: number; type: string; v: number } | null;
  server: { version: string; warnings: string[] };
};

/** A version of a contract, without its document. */
export type ContractItem = {
  name: string;
  version: number;
  note: string;
  /** sha-256 of the canonical document, hex. */
  hash: string;
  actor: string;
  /** ISO-8601 UTC. */
  created: string;
  seq: number;
};

/** The reply of `contract`. */
export type ContractReply = ContractItem & { document: JsonObject };

/** The reply of `contracts`: the newest version of each, by name. */
export type ContractsReply = { items: ContractItem[]; total: number; after: string | null };

/** The reply of `reference`. */
export type ReferenceReply = { name: string; version: number; markdown: string };

/** The reply of `check`. */
export type CheckReply = {
  findings: Finding[];
  warnings: string[];
  /** The paths of the context that it reads: `user.name`, `tasks[].title`. The first 200,000 characters of them. */
  variables: string[];
};
