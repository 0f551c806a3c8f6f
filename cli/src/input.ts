import { readFile } from "node:fs/promises";
import type { Io } from "./io.ts";

/** Bytes of a file or of stdin, or a sentence about why there are none. */
export type Input = { ok: true; text: string } | { ok: false; message: string };

/** Reads UTF-8 text from a file, or from stdin where the name is `-`. A byte order mark stays what it is: text. */
export async function readText(io: Io, file: string): Promise<Input> {
  const shown = file === "-" ? "stdin" : file;
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? await io.readStdin() : await readFile(file);
  } catch (error) {
    return { ok: false, message: `${shown} cannot be read: ${reasonOf(error)}.` };
  }
  const text = decodeUtf8(bytes);
  return text === null ? { ok: false, message: `${shown} is not UTF-8 text.` } : { ok: true, text };
}

/** Decodes UTF-8 as it is; null where the bytes are not. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Why the system refused something, in a few words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known: Record<string, string> = {
    ENOENT: "it does not exist",
    EEXIST: "a file of that name stands there",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
    ENOTDIR: "it is no folder",
    ENOSPC: "the disk is full",
  };
  return known[code] ?? (error instanceof Error ? error.message : String(error));
}
