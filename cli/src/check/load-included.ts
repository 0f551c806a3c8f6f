import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readTemplateEntry, TEMPLATE_EXTENSIONS, type TemplateFile } from "@incipit/files";
import { isKey, type Problem, type Result } from "@incipit/schema";
import { parseTemplate } from "@incipit/templates";
import { openTree, typeOf } from "../import/tree.ts";
import { reasonOf } from "../input.ts";
import type { Library } from "./load.ts";

/** Reads what a template of a folder includes, directly and through others; the template itself is part of it. */
export async function loadIncluded(root: string, file: TemplateFile): Promise<Library> {
  const files = new Map([[file.key, file]]);
  const unread = new Map<string, Problem>();
  const asked = new Set([file.key]);
  const pending = includedBy(file);
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (asked.has(key) || !isKey(key)) continue;
    asked.add(key);
    const found = await readByKey(root, key);
    if (found === null) continue;
    if (found.ok) {
      files.set(key, found.value);
      pending.push(...includedBy(found.value));
    } else unread.set(key, found.problem);
  }
  return { root, files, unread };
}

function includedBy({ body, settings }: TemplateFile): string[] {
  const parsed = parseTemplate(body, settings.syntax);
  return parsed.ok ? [...parsed.value.partials] : [];
}

/** Of two files of one key a folder that is read whole has the last: so it is here. */
const EXTENSIONS = TEMPLATE_EXTENSIONS.toSorted().toReversed();

/** Reads the template of a key, which says where it lies but for the extension. Null: there is none. */
async function readByKey(root: string, key: string): Promise<Result<TemplateFile> | null> {
  const tree = openTree(root);
  const segments = key.split("/");
  for (let depth = 1; depth < segments.length; depth++) {
    const path = segments.slice(0, depth).join("/");
    const folder = await lookAt(root, path);
    if (folder.type === "none") return null;
    // Links are not followed, as little as where the folder is read whole.
    if (folder.type !== "folder" || folder.fault !== undefined)
      return readTemplateEntry(tree, path, { ...folder, type: folder.type });
  }
  for (const extension of EXTENSIONS) {
    const path = `${key}${extension}`;
    const entry = await lookAt(root, path);
    if (entry.type !== "none" && entry.type !== "folder")
      return readTemplateEntry(tree, path, { ...entry, type: entry.type });
  }
  return null;
}

type Seen = { type: ReturnType<typeof typeOf> | "none"; bytes: number; fault?: string };

async function lookAt(root: string, path: string): Promise<Seen> {
  try {
    const found = await lstat(join(root, path));
    return { type: typeOf(found), bytes: found.size };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return { type: "none", bytes: 0 };
    return { type: "other", bytes: 0, fault: `cannot be read: ${reasonOf(cause)}.` };
  }
}
