import { z } from "zod";
import { faultText } from "./fault-text.ts";
import { LIMITS } from "./limits.ts";
import { keySchema, labelSchema, seqSchema, versionSchema, type JsonObject } from "./template.ts";

/**
 * A render's context. It came out of JSON, so that its values are JSON already; only its shape is looked at here, and a
 * field named `__proto__` stays a field.
 */
const contextSchema = z.custom<JsonObject>(isObject, { error: "must be a JSON object" });

/**
 * Versions by key. `__proto__` is a key like any other, which `z.record` would drop: the object is looked at, not
 * rebuilt. Read it by `Object.entries`.
 */
const pinsSchema = z
  .custom<Readonly<Record<string, number>>>(isObject, { error: "must be a JSON object" })
  .superRefine((pins, refinement) => {
    const entries = Object.entries(pins);
    if (entries.length > LIMITS.pins)
      return refinement.addIssue(`${entries.length} pins, the limit is ${LIMITS.pins}`);
    for (const [key, version] of entries)
      for (const { error } of [
        keySchema.safeParse(key, { error: faultText }),
        versionSchema.safeParse(version, { error: faultText }),
      ])
        for (const { message } of error?.issues ?? [])
          refinement.addIssue({ code: "custom", message, path: [key] });
  });

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The request on `prompt.render.<key>`. */
export const renderPayloadSchema = z.strictObject({
  context: contextSchema.default({}),
  label: labelSchema.optional(),
  version: versionSchema.optional(),
  /** Versions that are to be used for these keys, whatever their labels say: what an earlier reply listed. */
  pins: pinsSchema.optional(),
  /** Keys to try, in order, where the key of the subject does not exist. */
  fallbackKeys: z.array(keySchema).max(16).optional(),
  /** What becomes of fields of the context that the contract lists nowhere: left out, or refused. */
  extraFields: z.enum(["ignore", "refuse"]).optional(),
  /** The log position the answer must at least reflect. */
  minSeq: seqSchema.optional(),
  /** The longest wait for `minSeq`, in milliseconds (2000). */
  timeoutMs: z.int().min(0).max(LIMITS.waitMs).optional(),
});
/** A render request as it is sent. */
export type RenderPayload = Omit<z.input<typeof renderPayloadSchema>, "context"> & { context?: JsonObject };

/** A version that took part in a render. */
export type UsedVersion = { key: string; version: number };

/** The reply to a render. */
export type RenderReply = {
  key: string;
  version: number;
  label: string | null;
  /** The log position this answer reflects. */
  seq: number;
  /** Covers the template, its partials and their versions; hex sha-256. */
  hash: string;
  contract: { name: string; version: number } | null;
  text: string;
  partials: UsedVersion[];
  /** The log was out of reach: this is what was known last. */
  stale?: true;
  warnings: string[];
};
