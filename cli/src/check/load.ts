import { readdir, stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { keyOfPath, parseTemplateFile, readTemplateFolder, type TemplateFile } from "@incipit/files";
import type { Problem, Result } from "@incipit/schema";
import { linkTemplate, parseTemplate, type LinkedTemplate } from "@incipit/templates";
import { openTree } from "../import/tree.ts";
import { decodeUtf8, reasonOf } from "../input.ts";
import { readRegularFile } from "../import/regular-file.ts";
import { bodyInFile, problemInFile } from "../file-lines.ts";
import type { Source } from "../problem-text.ts";
import { loadIncluded } from "./load-included.ts";

/** Templates of a folder: what files include is looked for among them. */
export type Library = {
  root: string;
  files: ReadonlyMap<string, TemplateFile>;
  /** Why the file of a key is no template, by key. */
  unread: ReadonlyMap<string, Problem>;
};

/** All templates of a folder, and where they lie. */
export type Folder = Library & {
  /** Where each lies below the root, by key. */
  paths: ReadonlyMap<string, string>;
  /** Files that are no templates, each by path, and why. */
  refused: readonly { path: string; problem: Problem }[];
};

/** Reads a folder of templates. Throws where it cannot be read. */
export async function loadFolder(root: string): Promise<Folder> {
  const { files, refused } = await readTemplateFolder(openTree(root));
  const unread = new Map<string, Problem>();
  for (const { path, problem } of refused) {
    const key = keyOfPath(path);
    if (key.ok) unread.set(key.value, problem);
  }
  return {
    root,
    files: new Map(files.map(({ file }) => [file.key, file])),
    paths: new Map(files.map(({ path, file }) => [file.key, path])),
    unread,
    refused,
  };
}

/** Links a template with what it includes of a library. */
export function linkWithin(library: Library, { key, body, settings }: TemplateFile): Result<LinkedTemplate> {
  const parsed = parseTemplate(body, settings.syntax);
  if (!parsed.ok) return parsed;
  return linkTemplate(key, parsed.value, (name) => {
    const partial = library.files.get(name);
    if (partial === undefined) {
      const why = library.unread.get(name)?.message;
      return why === undefined ? undefined : { refused: { code: "bad_partial", message: why } };
    }
    const { kind, syntax } = partial.settings;
    if (kind !== "partial")
      return {
        refused: {
          code: "not_a_partial",
          message: `${name} is of kind ${kind}; only a partial can be included.`,
        },
      };
    const read = parseTemplate(partial.body, syntax);
    if (read.ok) return { key: name, version: 0, parsed: read.value };
    const message = `The partial ${name} is not valid: ${read.problem.message}`;
    return { refused: { code: "bad_partial", message } };
  });
}

function linkInFile(library: Library, file: TemplateFile): Result<LinkedTemplate> {
  const linked = linkWithin(library, file);
  if (linked.ok) return linked;
  const frontLines = (partial: string | undefined) =>
    (partial === undefined ? file : library.files.get(partial))?.frontLines ?? 0;
  return { ok: false, problem: problemInFile(linked.problem, frontLines) };
}

type Loaded =
  | { ok: true; file: TemplateFile; library: Library; source: Source; link: () => Result<LinkedTemplate> }
  | { ok: false; message: string };

/**
 * Reads one template file with what it includes, directly and through others, of the folder that its includes are looked
 * for in. Nothing else of the folder is looked at.
 */
export async function loadFile(path: string, root?: string): Promise<Loaded> {
  try {
    const folder = root ?? (await findRoot(path));
    const text = decodeUtf8(await readRegularFile(path));
    if (text === null) return { ok: false, message: `${path} is not UTF-8 text.` };
    const inside = relative(resolve(folder), resolve(path)).split(sep).join("/");
    const file = parseTemplateFile(inside, text, path);
    if (!file.ok) return { ok: false, message: file.problem.message };
    const library = await loadIncluded(folder, file.value);
    return {
      ok: true,
      file: file.value,
      library,
      source: { name: path, body: bodyInFile(file.value.body, file.value.frontLines) },
      link: () => linkInFile(library, file.value),
    };
  } catch (error) {
    return { ok: false, message: `${path} cannot be read: ${reasonOf(error)}.` };
  }
}

/** The folder that a file's keys are relative to: the nearest one above with partials of its own, else the file's. */
async function findRoot(path: string): Promise<string> {
  const own = dirname(path);
  for (let folder = resolve(own); ; folder = dirname(folder)) {
    const entries: string[] = await readdir(folder).catch(() => []);
    if (entries.includes("_partials")) return folder;
    if (dirname(folder) === folder || entries.includes(".git")) return own;
  }
}

/** Whether a path is that of a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}
