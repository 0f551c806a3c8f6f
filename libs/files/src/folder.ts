import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS, problem, type Problem } from "@incipit/schema";
import { showPath, TEMPLATE_EXTENSIONS } from "./paths.ts";
import { parseTemplateFile, type TemplateFile } from "./template-file.ts";

/** What a folder holds: its templates in order of their paths, and what was refused, each by name. */
export type TemplateFolder = {
  files: { path: string; file: TemplateFile }[];
  refused: { path: string; problem: Problem }[];
};

/** More than a body with its front matter may ever take: what is larger is refused before it is read into memory. */
const FILE_BYTES = LIMITS.bodyBytes + 4 * LIMITS.configBytes;

/**
 * Reads every template below a folder. Links, files that are not UTF-8 and files that are no template are refused by
 * name; names that begin with a dot, and files of other extensions, are passed over. A folder that is not there is an
 * exception.
 */
export async function readTemplateFolder(folder: string): Promise<TemplateFolder> {
  const found: TemplateFolder = { files: [], refused: [] };
  const refuse = (path: string, message: string) =>
    found.refused.push({ path, problem: problem("bad_request", `${showPath(path)} ${message}`, { path }) });
  const pending = [""];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true });
    for (const entry of entries) {
      if (entry.name.startsWith(".") && entry.name !== "..") continue;
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isSymbolicLink()) refuse(path, "is a link; links are not followed.");
      else if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile() && TEMPLATE_EXTENSIONS.some((known) => path.endsWith(known)))
        await readTemplate(folder, path, found);
    }
  }
  const byPath = (a: { path: string }, b: { path: string }) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
  found.files.sort(byPath);
  found.refused.sort(byPath);
  return found;
}

async function readTemplate(folder: string, path: string, found: TemplateFolder): Promise<void> {
  const refuse = (code: "bad_request" | "too_large", message: string) =>
    found.refused.push({ path, problem: problem(code, `${showPath(path)} ${message}`, { path }) });
  const { size } = await stat(join(folder, path));
  if (size > FILE_BYTES) {
    refuse("too_large", `has ${size} bytes, the limit is ${FILE_BYTES}.`);
    return;
  }
  const bytes = await readFile(join(folder, path));
  let text: string;
  try {
    // The byte order mark is kept here: parsing the file decides about it.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse("bad_request", "is not UTF-8.");
    return;
  }
  const file = parseTemplateFile(path, text);
  if (file.ok) found.files.push({ path, file: file.value });
  else found.refused.push({ path, problem: file.problem });
}
