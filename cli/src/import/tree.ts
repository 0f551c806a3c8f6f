import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { TEMPLATE_EXTENSIONS, type FileTree, type TreeEntry } from "@incipit/files";
import { decodeUtf8 } from "../input.ts";
import { readRegularFile } from "./regular-file.ts";

/** A folder of the disk as a tree to read templates from, which also remembers what was passed over. */
export type DiskTree = FileTree & { ignored: string[] };

/**
 * Opens a folder. Links below it are not followed, and what is neither file nor folder is not opened. Where a file becomes
 * one of these between being listed and being read, reading it throws; a folder that becomes a link is not noticed.
 */
export function openTree(root: string): DiskTree {
  const ignored: string[] = [];
  return {
    ignored,
    async entries(path) {
      // As bytes: decoded loosely, a name that is not UTF-8 would name another file, or none.
      const found = await readdir(join(root, path), { withFileTypes: true, encoding: "buffer" });
      const named = found.map((entry) => ({ entry, name: entry.name.toString() }));
      const entries: TreeEntry[] = [];
      for (const { entry, name } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const type = typeOf(entry);
        const inner = path === "" ? name : `${path}/${name}`;
        const isTemplate = TEMPLATE_EXTENSIONS.some((extension) => name.endsWith(extension));
        if (type === "file" && (!isTemplate || name.startsWith("."))) ignored.push(inner);
        if (decodeUtf8(entry.name) === null) {
          entries.push({ name, type, bytes: 0, fault: "has a name that is not UTF-8." });
          continue;
        }
        const bytes = type === "file" && isTemplate ? (await lstat(join(root, inner))).size : 0;
        entries.push({ name, type, bytes });
      }
      return entries;
    },
    async readText(path) {
      return decodeUtf8(await readRegularFile(join(root, path)));
    },
  };
}

type Kinds = { isFile: () => boolean; isDirectory: () => boolean; isSymbolicLink: () => boolean };

/** What an entry of a folder is, as it lies there: a link is a link, whatever it leads to. */
export function typeOf(entry: Kinds): TreeEntry["type"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}
