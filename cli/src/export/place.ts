import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathOfKey, TEMPLATE_EXTENSIONS } from "@incipit/files";

/** What a file is called until it is whole. It begins with a dot, so that import passes it over. */
const UNFINISHED = /^\.incipit-[0-9a-f-]{36}\.tmp$/;

/** Whether a name is that of a file which an export began and did not finish. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/**
 * Where below `root` a key is written: over the file that holds it there already, whatever its extension, since two files
 * of one key could not be imported any more; else as `KEY.md`. Relative, with `/`.
 */
export async function findPath(root: string, key: string): Promise<string> {
  for (const extension of TEMPLATE_EXTENSIONS) {
    const path = `${key}${extension}`;
    // What cannot be looked at is named when it is to be written.
    const found = await lookAt(join(root, path)).catch(() => null);
    if (found !== null) return path;
  }
  return pathOfKey(key);
}

/**
 * What stands in the way of writing a file below `root`, as the end of a sentence about a path; null where nothing does.
 * `path` is relative, with `/`. No link below `root` is followed: it may lead anywhere.
 */
export async function findObstacle(
  root: string,
  path: string,
): Promise<{ path: string; why: string } | null> {
  const segments = path.split("/");
  for (let depth = 1; depth <= segments.length; depth++) {
    const at = segments.slice(0, depth).join("/");
    const found = await lookAt(join(root, at));
    if (found === null) return null;
    const isLast = depth === segments.length;
    if (found.isSymbolicLink()) return { path: at, why: "is a link; links are not followed" };
    if (!isLast && !found.isDirectory()) return { path: at, why: "is a file where a folder is needed" };
    if (isLast && found.isDirectory()) return { path: at, why: "is a folder where a file is needed" };
    if (isLast && !found.isFile()) return { path: at, why: "is no file" };
  }
  return null;
}

/**
 * Writes a file below `root`, with the folders it needs: whole or not at all, and never through a link. Throws where
 * something stands in the way by now, or where the system refuses.
 */
export async function writeBelow(root: string, path: string, text: string): Promise<void> {
  const target = join(root, path);
  const folder = dirname(target);
  await refuseObstacle(root, path);
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `.incipit-${randomUUID()}.tmp`);
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await refuseObstacle(root, path);
    // Puts itself in the place of a link, should there be one by now, and does not follow it.
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Removes what exports that were killed have left in a folder; one that is not there, or no folder, has nothing. */
export async function removeUnfinished(folder: string): Promise<void> {
  if (!(await lookAt(folder))?.isDirectory()) return;
  for (const name of await readdir(folder))
    if (isUnfinished(name)) await rm(join(folder, name), { force: true });
}

async function refuseObstacle(root: string, path: string): Promise<void> {
  const obstacle = await findObstacle(root, path);
  if (obstacle !== null) throw new Error(`${obstacle.path} ${obstacle.why}`);
}

async function lookAt(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
