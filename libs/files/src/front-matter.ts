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
import { Document, isScalar, parseDocument, visit } from "yaml";
import { z } from "zod";
import { offsetOfFault } from "./fault-offset.ts";
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

const YAML = { schema: "core", version: "1.2" } as const;

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

/**
 * Reads front matter. Unknown fields are refused, so that a misspelt setting is not silently lost; and so is what in YAML
 * stands for something else (anchors, aliases, merge keys): a file is to say what it says.
 */
export function parseFrontMatter(yaml: string, path: string): Result<FrontMatter> {
  const refuseAt = (offset: number, why: string) => {
    const before = yaml.slice(0, offset).split("\n");
    const line = before.length + 1; // the opening "---" is line 1
    const column = (before.at(-1)?.length ?? 0) + 1;
    return refuse("bad_request", `${showPath(path)}:${line}:${column}: ${why}`, { path, line, column });
  };
  try {
    // The core schema of YAML 1.2: `no` is a string, and no value becomes a date.
    const document = parseDocument(yaml, { ...YAML, prettyErrors: false, logLevel: "error" });
    const [error] = document.errors;
    if (error !== undefined)
      return error.code === "DUPLICATE_KEY"
        ? refuseAt(error.pos[0], "the front matter has this field twice.")
        : refuseAt(error.pos[0], `the front matter is not YAML: ${error.message}`);
    const reference = findReference(document);
    if (reference !== null)
      return refuseAt(reference.offset, `${reference.what} cannot be used in front matter. Write it out.`);
    const value: unknown = document.toJS() ?? {};
    const parsed = parseWith(frontMatterSchema, value, "the front matter");
    return parsed.ok
      ? parsed
      : refuseAt(offsetOfFault(document, frontMatterSchema, value), parsed.problem.message);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return refuse("bad_request", `The front matter of ${showPath(path)} cannot be read: ${why}.`, { path });
  }
}

/** The first anchor, alias or merge key, and where it stands. */
function findReference(document: Document.Parsed): { what: string; offset: number } | null {
  let found: { what: string; offset: number } | null = null;
  visit(document, {
    Alias(_, { source, range }) {
      found = { what: `The alias *${source}`, offset: range?.[0] ?? 0 };
      return visit.BREAK;
    },
    Value(role, node) {
      const offset = node.range?.[0] ?? 0;
      if (node.anchor !== undefined) found = { what: `The anchor &${node.anchor}`, offset };
      else if (role === "key" && isScalar(node) && node.value === "<<" && node.type === "PLAIN")
        found = { what: "The merge key <<", offset };
      return found === null ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** Writes front matter with its two lines `---`. */
export function formatFrontMatter(settings: FrontMatter): string {
  if (Object.keys(settings).length === 0) return "---\n---\n";
  const document = new Document(settings, { ...YAML, aliasDuplicateObjects: false });
  // A field of that name must not come back as a merge key.
  visit(document, {
    Scalar(role, node) {
      if (role === "key" && node.value === "<<") node.type = "QUOTE_DOUBLE";
    },
  });
  // Without a line width, strings are never folded, so that they come back as they were.
  return `---\n${document.toString({ lineWidth: 0 })}---\n`;
}
