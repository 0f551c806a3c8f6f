import { z } from "zod";
import {
  commandIdSchema,
  configSchema,
  contractNameSchema,
  KINDS,
  labelSchema,
  noteSchema,
  ON_ERROR,
  SYNTAXES,
  tagsSchema,
  versionSchema,
} from "./template.ts";
import { LIMITS } from "./limits.ts";
import type { Finding } from "./problem.ts";

/** The verbs of `prompt.cmd.<actor>.<verb>.<key>`: what the server's permissions can tell apart. */
export const COMMAND_VERBS = ["add", "add-activate", "activate", "deactivate", "publish"] as const;
/** A verb of a command. */
export type CommandVerb = (typeof COMMAND_VERBS)[number];

/** Who sends a command: one subject token, so that the server's permissions make it unforgeable. */
export const ACTOR_PATTERN = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * Once it is done, wait so many milliseconds at most until the renderers have applied it, and say in the reply how many
 * have. No part of what makes a command this very command.
 */
const waitSchema = z.int().min(0).max(LIMITS.waitMs).optional();

/**
 * The payload of `add`, which stores an inactive version, and of `add-activate`, which puts it live too. A setting that is
 * left out is taken from the newest version (or the seed) of the key, else its default.
 */
export const addPayloadSchema = z.strictObject({
  body: z.string(),
  kind: z.enum(KINDS).optional(),
  syntax: z.enum(SYNTAXES).optional(),
  contract: contractNameSchema.nullable().optional(),
  onError: z.enum(ON_ERROR).optional(),
  config: configSchema.nullable().optional(),
  tags: tagsSchema.optional(),
  note: noteSchema.optional(),
  /** The newest stored version the sender has seen; null: none. Otherwise `conflict`. */
  expectNewest: versionSchema.nullable().optional(),
  commandId: commandIdSchema.optional(),
  dryRun: z.boolean().optional(),
  /** Of `add-activate` alone: activate what was added, under `production` (true) or a label. */
  activate: z
    .union([z.literal(true), labelSchema], { error: "must be true or a label: [a-z][a-z0-9-]*" })
    .optional(),
  /** Of `add-activate` alone: the version that label points at as the sender has seen it; null: none. Otherwise `conflict`. */
  expectActive: versionSchema.nullable().optional(),
  wait: waitSchema,
});
/** A parsed payload of `add`. */
export type AddPayload = z.infer<typeof addPayloadSchema>;

/** The payload of `activate`: moves a label to a version. */
export const activatePayloadSchema = z.strictObject({
  version: versionSchema,
  label: labelSchema.optional(),
  note: noteSchema.optional(),
  /** The version the label points at as the sender has seen it; null: none. Otherwise `conflict`. */
  expectActive: versionSchema.nullable().optional(),
  commandId: commandIdSchema.optional(),
  dryRun: z.boolean().optional(),
  wait: waitSchema,
});
/** A parsed payload of `activate`. */
export type ActivatePayload = z.infer<typeof activatePayloadSchema>;

/** The payload of `deactivate`: takes a label away; the seed answers again, or nothing does. */
export const deactivatePayloadSchema = z.strictObject({
  label: labelSchema.optional(),
  note: noteSchema.optional(),
  commandId: commandIdSchema.optional(),
  wait: waitSchema,
});
/** A parsed payload of `deactivate`. */
export type DeactivatePayload = z.infer<typeof deactivatePayloadSchema>;

/** The payload of `publish`: stores the next version of a contract. The subject's key is its name. */
export const publishPayloadSchema = z.strictObject({
  /** See `parseContract`, which judges it. */
  document: z.custom<unknown>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    {
      error: "must be a JSON object",
    },
  ),
  note: noteSchema.optional(),
  /** The newest version the sender has seen; null: none. Otherwise `conflict`. */
  expectVersion: versionSchema.nullable().optional(),
  commandId: commandIdSchema.optional(),
  dryRun: z.boolean().optional(),
});
/** A parsed payload of `publish`. */
export type PublishPayload = z.infer<typeof publishPayloadSchema>;

/** What the renderers had applied when a command with `wait` was answered. */
export type RenderersReply = {
  /** How many of them serve it. */
  applied: number;
  /** How many there are: those that have answered lately. */
  known: number;
  /** The instances that do not serve it yet, or do not answer. */
  behind: string[];
};

/** The reply of `add` and `add-activate`. `seq` is the log position that holds all of the command's effect. */
export type AddReply = {
  key: string;
  version: number;
  /** sha-256 of the body, hex. */
  hash: string;
  seq: number;
  /** ISO-8601 UTC: when the version was stored. */
  created: string;
  /** Body and settings equal the newest version: nothing was stored. */
  unchanged?: true;
  /** The label that now points at the version, or null. */
  activated: string | null;
  findings: Finding[];
  warnings: string[];
  dryRun?: true;
  /** With `wait`. */
  renderers?: RenderersReply;
};

/** The reply of `activate`. */
export type ActivateReply = {
  key: string;
  label: string;
  version: number;
  previous: number | null;
  seq: number;
  /** False where the label pointed there already: nothing was appended. */
  changed: boolean;
  warnings: string[];
  dryRun?: true;
  /** With `wait`. */
  renderers?: RenderersReply;
};

/** The reply of `deactivate`. */
export type DeactivateReply = {
  key: string;
  label: string;
  previous: number | null;
  seq: number;
  changed: boolean;
  /** What a render of the key without a label gets now: the seed (0) or nothing (null). */
  nowServes: 0 | null;
  /** With `wait`. */
  renderers?: RenderersReply;
};

/** An active template that no longer passes against a contract. */
export type AffectedTemplate = {
  key: string;
  version: number;
  label: string;
  /** The first of its findings. */
  findings: Finding[];
};

/** The reply of `publish`. */
export type PublishReply = {
  name: string;
  version: number;
  /** sha-256 of the canonical document, hex. */
  hash: string;
  seq: number;
  /** ISO-8601 UTC: when the version was stored. */
  created: string;
  /** The document is that of the newest version: nothing was stored. */
  unchanged?: true;
  /** The first 100 active templates that no longer pass: they render where they can, and are refused at their next edit. */
  affected: AffectedTemplate[];
  /** How many there are of them. */
  affectedCount: number;
  warnings: string[];
  dryRun?: true;
};
