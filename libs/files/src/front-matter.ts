import {
  configSchema,
  contractNameSchema,
  KINDS,
  ok,
  ON_ERROR,
  parseWith,
  refuse,
  SYNTAXES,
  tagsSchema,
  type Result,
} from "@incipit/schema";
import { parseDocument, stringify } from "yaml";
import { z } from "zod";
import { showPath } from "./paths.ts";

const frontMatterSchema = z.strictObject({
  kind: z.enum(KINDS).optional(),
  syntax: z.enum(SYNTAXES).optional(),
  contract: contractNameSchema.nullable().optional(),
  onError: z.enum(ON_ERROR).optional(),
  config: configSchema.nullable().optional(),
  tags: tagsSchema.optional(),
});
/** The settings a file states; what it leaves out has its default. */
export type FrontMatter = z.infer<typeof frontMatterSchema>;

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*(\r?\n|$)/m;

/** Whether a text would be read as front matter, so that a body which begins so needs some of its own before it. */
export function opensFrontMatter(text: string): boolean {
  return OPENING.test(text) || text === "---";
}

/** Splits a text into its front matter (YAML, null where there is none) and its body, byte for byte. */
export function splitFrontMatter(text: string, path: string): Result<{ yaml: string | null; body: string }> {
  const opening = OPENING.exec(text);
  if (opening === null) return ok({ yaml: null, body: text });
  const rest = text.slice(opening[0].length);
  const closing = CLOSING.exec(rest);
  if (closing === null)
    return refuse(
      "bad_request",
      `${showPath(path)} opens front matter with "---" and never closes it. Close it with a line "---"; if the line ` +
        `belongs to the body, put two lines "---" before it.`,
      { path, line: 1, column: 1 },
    );
  return ok({ yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) });
}

/** Reads front matter. Unknown fields are refused, so that a misspelt setting is not silently lost. */
export function parseFrontMatter(yaml: string, path: string): Result<FrontMatter> {
  // The core schema of YAML 1.2: `no` is a string, and no value becomes a date.
  const document = parseDocument(yaml, { schema: "core", version: "1.2", prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const before = yaml.slice(0, error.pos[0]).split("\n");
    const line = before.length + 1; // the opening "---" is line 1
    const column = (before.at(-1)?.length ?? 0) + 1;
    return refuse(
      "bad_request",
      `${showPath(path)}:${line}:${column}: the front matter is not YAML: ${error.message}`,
      {
        path,
        line,
        column,
      },
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    return refuse("bad_request", `The front matter of ${showPath(path)} cannot be read: ${String(cause)}.`, {
      path,
    });
  }
  return parseWith(frontMatterSchema, value ?? {}, `The front matter of ${showPath(path)}`);
}

/** Writes front matter with its two lines `---`. */
export function formatFrontMatter(settings: FrontMatter): string {
  // Without a line width, strings are never folded, so that they come back as they were.
  const yaml =
    Object.keys(settings).length === 0
      ? ""
      : stringify(settings, { schema: "core", version: "1.2", lineWidth: 0 });
  return `---\n${yaml}---\n`;
}
