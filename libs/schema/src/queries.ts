import { z } from "zod";
import { LIMITS } from "./limits.ts";
import type { Finding } from "./problem.ts";
import {
  contractNameSchema,
  type JsonObject,
  KINDS,
  SYNTAXES,
  labelSchema,
  seqSchema,
  versionSchema,
  type Kind,
  type OnError,
  type Syntax,
} from "./template.ts";

/** The verbs of `prompt.query.<verb>[.<key>]`. */
export const QUERY_VERBS = [
  "get",
  "versions",
  "activations",
  "list",
  "status",
  "contract",
  "contracts",
  "reference",
  "check",
] as const;
/** A verb of a query. */
export type QueryVerb = (typeof QUERY_VERBS)[number];

/** What every query accepts: wait until the log position `minSeq` is applied, at most `timeoutMs` (2000). */
const waiting = {
  minSeq: seqSchema.optional(),
  timeoutMs: z.int().min(0).max(LIMITS.waitMs).optional(),
};
const pageLimit = z.int().min(1).max(LIMITS.pageItems).default(50);

/** The payload of `get`: a version, or a label (`production`). */
export const getPayloadSchema = z.strictObject({
  ...waiting,
  version: versionSchema.optional(),
  label: labelSchema.optional(),
});
/** The payload of `versions`: one page, highest first; a cursor is a version number. */
export const versionsPayloadSchema = z.strictObject({
  ...waiting,
  limit: pageLimit,
  before: versionSchema.optional(),
  after: versionSchema.optional(),
});
/** The payload of `activations`: one page, newest first. */
export const activationsPayloadSchema = z.strictObject({
  ...waiting,
  label: labelSchema.optional(),
  limit: pageLimit,
  /** Only moves with a smaller log position. */
  before: seqSchema.optional(),
});
/** The payload of `list`: one page of keys, filtered. */
export const listPayloadSchema = z.strictObject({
  ...waiting,
  /** Keys that begin so. */
  prefix: z.string().max(LIMITS.keyLength).optional(),
  tag: z.string().max(LIMITS.tagLength).optional(),
  kind: z.enum(KINDS).optional(),
  contract: contractNameSchema.optional(),
  /** Keys with something active under this label. */
  label: labelSchema.optional(),
  limit: pageLimit,
  /** The last key of the page before. */
  after: z.string().max(LIMITS.keyLength).optional(),
});
/** The payload of `status`. */
export const statusPayloadSchema = z.strictObject({ ...waiting });

/** The payload of `contract`: one version of a contract, the newest unless it names one. */
export const contractPayloadSchema = z.strictObject({ ...waiting, version: versionSchema.optional() });
/** The payload of `contracts`: one page of them, by name. */
export const contractsPayloadSchema = z.strictObject({
  ...waiting,
  limit: pageLimit,
  /** The last name of the page before. */
  after: z.string().max(LIMITS.keyLength).optional(),
});
/** The payload of `reference`: what authors of templates read about a contract, as Markdown. */
export const referencePayloadSchema = z.strictObject({ ...waiting });
/** The payload of `check`: what `add` would say of a body; nothing is stored. */
export const checkPayloadSchema = z.strictObject({
  ...waiting,
  body: z.string(),
  syntax: z.enum(SYNTAXES).optional(),
  kind: z.enum(KINDS).optional(),
  contract: contractNameSchema.nullable().optional(),
  /** Judge it as if it were activated under this label, too. */
  label: labelSchema.optional(),
});

/** A payload of `contract` as it is sent. */
export type ContractPayload = z.input<typeof contractPayloadSchema>;
/** A payload of `contracts` as it is sent. */
export type ContractsPayload = z.input<typeof contractsPayloadSchema>;
/** A payload of `reference` as it is sent. */
export type ReferencePayload = z.input<typeof referencePayloadSchema>;
/** A payload of `check` as it is sent. */
export type CheckPayload = z.input<typeof checkPayloadSchema>;
/** A payload of `get` as it is sent. */
export type GetPayload = z.input<typeof getPayloadSchema>;
/** A payload of `versions` as it is sent. */
export type VersionsPayload = z.input<typeof versionsPayloadSchema>;
/** A payload of `activations` as it is sent. */
export type ActivationsPayload = z.input<typeof activationsPayloadSchema>;
/** A payload of `list` as it is sent. */
export type ListPayload = z.input<typeof listPayloadSchema>;
/** A payload of `status` as it is sent. */
export type StatusPayload = z.input<typeof statusPayloadSchema>;

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

/** The reply of `activations`: newest first. */
export type ActivationsReply = { key: string; items: ActivationItem[]; before: number | null };

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
};

/** The reply of `list`: keys in order of their code units. */
export type ListReply = { items: ListItem[]; total: number; after: string | null };

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
