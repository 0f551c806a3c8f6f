import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { contractNameSchema, KINDS, SYNTAXES, labelSchema, seqSchema, versionSchema } from "./template.ts";

/** The verbs of `prompt.query.<verb>[.<key>]`. */
export const QUERY_VERBS = [
  "get",
  "versions",
  "activations",
  "list",
  "labels",
  "diff",
  "dependents",
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

/** A moment of the log: a position, or a time with its zone. As of a time is: after all that happened at or before it. */
const momentSchema = z.union([seqSchema, z.iso.datetime({ offset: true })], {
  error: "must be a log position or an ISO-8601 time with its zone, like 2026-03-01T12:00:00Z",
});

/** The payload of `get`: a version, or a label (`production`), that one also as of a moment. */
export const getPayloadSchema = z.strictObject({
  ...waiting,
  version: versionSchema.optional(),
  label: labelSchema.optional(),
  at: momentSchema.optional(),
});
/** The payload of `versions`: one page, highest first; a cursor is a version number. */
export const versionsPayloadSchema = z.strictObject({
  ...waiting,
  limit: pageLimit,
  before: versionSchema.optional(),
  after: versionSchema.optional(),
});
/** The payload of `activations`: one page, newest first; of one key, or of all where the subject names none. */
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
  /** Words to find in key, body, note and tags: best matches first. `word*` begins so, `"two words"` stand together. */
  q: z.string().max(LIMITS.searchLength).optional(),
  limit: pageLimit,
  /** The last key of the page before. */
  after: z.string().max(LIMITS.keyLength).optional(),
});
/** The payload of `labels`: one page of every label that was ever moved, by name. */
export const labelsPayloadSchema = z.strictObject({
  ...waiting,
  limit: pageLimit,
  /** The last label of the page before. */
  after: z.string().max(63).optional(),
});
/** What `diff` compares: a version, or what a label points at. */
const pointerSchema = z.union([versionSchema, labelSchema], { error: "must be a version or a label" });
/** The payload of `diff`: two versions of one key. */
export const diffPayloadSchema = z.strictObject({ ...waiting, from: pointerSchema, to: pointerSchema });
/** The payload of `dependents`: one page of what includes the key, directly and through others. */
export const dependentsPayloadSchema = z.strictObject({
  ...waiting,
  /** Only what answers under this label, with includes as they resolve there. */
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
/** A payload of `labels` as it is sent. */
export type LabelsPayload = z.input<typeof labelsPayloadSchema>;
/** A payload of `diff` as it is sent. */
export type DiffPayload = z.input<typeof diffPayloadSchema>;
/** A payload of `dependents` as it is sent. */
export type DependentsPayload = z.input<typeof dependentsPayloadSchema>;
/** A payload of `status` as it is sent. */
export type StatusPayload = z.input<typeof statusPayloadSchema>;
