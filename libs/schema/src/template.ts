import { z } from "zod";
import { isKey } from "./keys.ts";
import { LIMITS, utf8Length } from "./limits.ts";
import { LABEL_PATTERN } from "./refs.ts";

/** What a template is for: rendered on request, only included by others, or an ordered list of parts. */
export const KINDS = ["prompt", "partial", "assembly"] as const;
/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

/** How a body is read. */
export const SYNTAXES = ["handlebars", "slots", "plain"] as const;
/** One of `SYNTAXES`. */
export type Syntax = (typeof SYNTAXES)[number];

/** What a failing render does: fail the request, or give the seed's text. */
export const ON_ERROR = ["fail", "degrade"] as const;
/** One of `ON_ERROR`. */
export type OnError = (typeof ON_ERROR)[number];

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A JSON object. */
export type JsonObject = { [name: string]: Json };

/** A key, as `parseKey` has it. */
export const keySchema = z.string().refine(isKey, { error: "is not a key" });
/** A label: `[a-z][a-z0-9-]*`, at most 63 characters. */
export const labelSchema = z.string().regex(LABEL_PATTERN, { error: "is not a label: [a-z][a-z0-9-]*" });
/** A version number; 0 is the seed. */
export const versionSchema = z.int().min(0).max(999_999_999);
/** A position in the log; 0 is before the first message. */
export const seqSchema = z.int().min(0);
/** Why something was done, in the words of who did it. */
export const noteSchema = z.string().max(LIMITS.noteLength);
/** A caller's id for one command. */
export const commandIdSchema = z.string().min(1).max(LIMITS.commandIdLength);
/** Words to find a template by. */
export const tagsSchema = z.array(z.string().min(1).max(LIMITS.tagLength)).max(LIMITS.tags);
/** The name of a contract. */
export const contractNameSchema = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/, {
  error: "is not a contract name: 1 to 100 of A-Z a-z 0-9 _ and -, not - first",
});
/** A JSON object that the registry stores and hands back, and never reads. */
export const configSchema = z
  // Looked at before the fields are copied: a copy would lose a field `__proto__` silently, and follow any depth.
  .custom<JsonObject>()
  .superRefine((config, context) => {
    const fault = faultIn(config, []);
    if (fault !== null) context.addIssue({ code: "custom", ...fault });
  })
  .pipe(z.record(z.string(), z.json()))
  .refine((config) => utf8Length(JSON.stringify(config)) <= LIMITS.configBytes, {
    error: `is over ${LIMITS.configBytes} bytes of JSON`,
  });

type Fault = { path: (string | number)[]; message: string };

/** The first thing in a JSON value that a config may not hold: a field `__proto__`, or what nests too deep. */
function faultIn(value: unknown, path: (string | number)[]): Fault | null {
  if (typeof value !== "object" || value === null) return null;
  if (path.length >= LIMITS.configDepth)
    return { path, message: `nests deeper than ${LIMITS.configDepth} levels here` };
  if (Object.hasOwn(value, "__proto__"))
    return {
      path,
      message: "has a field __proto__, which JavaScript programs would lose: give it another name",
    };
  for (const [name, field] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const fault = faultIn(field, [...path, name]);
    if (fault !== null) return fault;
  }
  return null;
}

/** The settings a version carries beside its body. */
export type TemplateSettings = {
  kind: Kind;
  syntax: Syntax;
  contract: string | null;
  onError: OnError;
  config: JsonObject | null;
  tags: string[];
};

/** The settings of a template that says nothing about them. */
export const DEFAULT_SETTINGS: TemplateSettings = {
  kind: "prompt",
  syntax: "handlebars",
  contract: null,
  onError: "fail",
  config: null,
  tags: [],
};
