import { LIMITS, problem, refuse, type Problem, type Result } from "@incipit/schema";
import { showPath, TEMPLATE_EXTENSIONS } from "./paths.ts";
import { parseTemplateFile, type TemplateFile } from "./template-file.ts";

/** One name in a folder. `bytes` is the size of a file, `fault` why it cannot be read, where that is known already. */
export type TreeEntry = {
  name: string;
  type: "file" | "folder" | "link" | "other";
  bytes: number;
  fault?: string;
};

/** The folder to read; paths are relative to it, with `/`, and `""` is the folder itself. */
export type FileTree = {
  /** Throws where the folder cannot be read. */
  entries: (path: string) => Promise<TreeEntry[]>;
  /** The text of a file, a byte order mark included; null where it is not UTF-8. Throws where it cannot be read. */
  readText: (path: string) => Promise<string | null>;
};

/** What a folder holds: its templates in order of their paths, and what was refused, each by name. */
export type TemplateFolder = {
  files: { path: string; file: TemplateFile }[];
  refused: { path: string; problem: Problem }[];
};

/** More than a body with its front matter may ever take: what is larger is refused before it is read. */
const FILE_BYTES = LIMITS.bodyBytes + 4 * LIMITS.configBytes;

/**
 * Reads every template below a folder. Links, files that cannot be read, that are not UTF-8 or no template are refused by
 * name; names that begin with a dot, and files of other extensions, are passed over.
 */
export async function readTemplateFolder(tree: FileTree): Promise<TemplateFolder> {
  const found: TemplateFolder = { files: [], refused: [] };
  // Where the folder itself cannot be read, nothing can; what cannot be read below it is one refusal of many.
  const pending: { path: string; entries: TreeEntry[] }[] = [{ path: "", entries: await tree.entries("") }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of at.entries) {
      if (entry.name.startsWith(".")) continue;
      const path = at.path === "" ? entry.name : `${at.path}/${entry.name}`;
      if (entry.type === "folder" && entry.fault === undefined) {
        try {
          pending.push({ path, entries: await tree.entries(path) });
        } catch (cause) {
          found.refused.push({ path, problem: unreadable(path, cause) });
        }
      } else if (
        entry.type === "folder" ||
        entry.type === "link" ||
        TEMPLATE_EXTENSIONS.some((known) => path.endsWith(known))
      )
        await readEntry(tree, path, entry, found);
    }
  }
  const byPath = (a: { path: string }, b: { path: string }) =>
    a.path < b.path ? -1 : Number(a.path > b.path);
  return { files: found.files.toSorted(byPath), refused: found.refused.toSorted(byPath) };
}

async function readEntry(
  tree: FileTree,
  path: string,
  entry: TreeEntry,
  found: TemplateFolder,
): Promise<void> {
  const file = await readTemplateEntry(tree, path, entry);
  if (file.ok) found.files.push({ path, file: file.value });
  else found.refused.push({ path, problem: file.problem });
}

/**
 * Reads one template of a folder. A link, a file that cannot be read, that is not UTF-8 or no template, or that is larger
 * than any may be (unread), is refused.
 */
export async function readTemplateEntry(
  tree: Pick<FileTree, "readText">,
  path: string,
  entry: Omit<TreeEntry, "name">,
): Promise<Result<TemplateFile>> {
  const refused = (why: string, code: "bad_request" | "too_large" = "bad_request") =>
    refuse(code, `${showPath(path)} ${why}`, { path });
  if (entry.fault !== undefined) return refused(entry.fault);
  if (entry.type === "link") return refused("is a link; links are not followed.");
  if (entry.type !== "file") return refused("is not a file.");
  if (entry.bytes > FILE_BYTES)
    return refused(`has ${entry.bytes} bytes, the limit is ${FILE_BYTES}.`, "too_large");
  try {
    const text = await tree.readText(path);
    return text === null ? refused("is not UTF-8.") : parseTemplateFile(path, text);
  } catch (cause) {
    // One bad file must not keep the others from being read.
    return { ok: false, problem: unreadable(path, cause) };
  }
}

function unreadable(path: string, cause: unknown): Problem {
  const why = cause instanceof Error ? cause.message : String(cause);
  return problem("bad_request", `${showPath(path)} cannot be read: ${why}.`, { path });
}
