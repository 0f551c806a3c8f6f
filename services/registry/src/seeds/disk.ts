import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileTree, TreeEntry } from "@incipit/files";
import type { Primitives } from "@incipit/events";
import { readRegularFile } from "./regular-file.ts";

/** A folder on disk, for reading templates from. Links below it are not followed, pipes and devices not opened. */
export function openFolder(folder: string, { decodeUtf8 }: Primitives): FileTree {
  return {
    async entries(path) {
      const entries = await readdir(join(folder, path), { withFileTypes: true });
      return Promise.all(
        entries.map(async (entry): Promise<TreeEntry> => {
          const { name } = entry;
          if (entry.isSymbolicLink()) return { name, type: "link", bytes: 0 };
          if (entry.isDirectory()) return { name, type: "folder", bytes: 0 };
          if (!entry.isFile()) return { name, type: "other", bytes: 0 };
          return { name, type: "file", bytes: (await lstat(join(folder, path, name))).size };
        }),
      );
    },
    readText: async (path) => decodeUtf8(await readRegularFile(join(folder, path))),
  };
}
