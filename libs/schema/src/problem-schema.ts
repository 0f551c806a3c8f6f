import { z } from "zod";
import { ERROR_STATUS, type ErrorCode, type Problem } from "./problem.ts";
import type { JsonObject } from "./template.ts";

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

const witnessSchema = z.looseObject({
  context: z.custom<JsonObject>(isJsonObject),
  variant: z.string().exactOptional(),
  fails: z.looseObject({
    code: z.enum(codes),
    message: z.string(),
    line: z.int().optional(),
    column: z.int().optional(),
    partial: z.string().optional(),
  }),
});

/** It came out of JSON: its shape alone is to be looked at. */
function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A finding as a receiver parses it. */
export const findingSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int(),
  partial: z.string().exactOptional(),
  hint: z.string().exactOptional(),
  witness: witnessSchema.nullable().exactOptional(),
});

/** The body of an error reply, as a receiver parses it. Fields of a later release pass through. */
export const errorReplySchema = z.object({
  error: z.looseObject({
    code: z.enum(codes),
    status: z.int(),
    message: z.string(),
    key: z.string().optional(),
    version: z.int().optional(),
    partial: z.string().optional(),
    path: z.string().optional(),
    line: z.int().optional(),
    column: z.int().optional(),
    findings: z.array(findingSchema).optional(),
    traceId: z.string().optional(),
  }),
});

/** Reads an error reply; null where the value is none. */
export function parseErrorReply(value: unknown): Problem | null {
  const parsed = errorReplySchema.safeParse(value);
  return parsed.success ? (parsed.data.error as Problem) : null;
}
