import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileTree, TreeEntry } from "@incipit/files";
import type { Primitives } from "@incipit/events";
import { readRegularFile } from "./regular-file.ts";

/**
 * A folder on disk, for reading templates from. Links below it are not followed, pipes and devices not opened; a name that is
 * not UTF-8 is a fault of that entry alone.
 */
export function openFolder(folder: string, { decodeUtf8 }: Primitives): FileTree {
  return {
    async entries(path) {
      // As bytes: decoded loosely, a name that is not UTF-8 would name another file, or none.
      const entries = await readdir(join(folder, path), { withFileTypes: true, encoding: "buffer" });
      return Promise.all(
        entries.map(async (entry): Promise<TreeEntry> => {
          const name = entry.name.toString();
          if (decodeUtf8(entry.name) === null)
            return {
              name,
              type: entry.isDirectory() ? "folder" : "file",
              bytes: 0,
              fault: "has a name that is not UTF-8.",
            };
          if (entry.isSymbolicLink()) return { name, type: "link", bytes: 0 };
          if (entry.isDirectory()) return { name, type: "folder", bytes: 0 };
          if (!entry.isFile()) return { name, type: "other", bytes: 0 };
          // What has gone meanwhile is said to be unreadable when it is read.
          const bytes = await lstat(join(folder, path, name)).then(
            ({ size }) => size,
            () => 0,
          );
          return { name, type: "file", bytes };
        }),
      );
    },
    readText: async (path) => decodeUtf8(await readRegularFile(join(folder, path))),
  };
}
