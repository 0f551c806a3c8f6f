import { constants } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Reads a file that is one: what is a link by now, a pipe or a device is an error. Opening must neither follow a link nor
 * wait for somebody to write into a pipe; what was opened is then looked at itself, not its name again.
 */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is no regular file");
    return await file.readFile();
  } finally {
    await file.close();
  }
}
