import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { ok, refuse, type Result } from "@incipit/schema";
import { CONTRACT_EXTENSION } from "../contract-file.ts";
import { typeOf } from "../import/tree.ts";
import { decodeUtf8, reasonOf } from "../input.ts";
import { readRegularFile } from "../import/regular-file.ts";

/** The text of a contract's document, and the file that it stands in. */
export type ContractText = { path: string; text: string };

/**
 * Names of a folder that are gone through for a file of a contract. Unlike a key, the name of a contract does not say where in
 * the folder it lies, so that its folders are listed, though nothing in them is read.
 */
const MOST_NAMES = 100_000;

/** Gives the texts of the contracts with these names that lie anywhere in a folder: of each the file that is least deep. */
export async function findContracts(
  root: string,
  names: Iterable<string>,
  most: number = MOST_NAMES,
): Promise<Map<string, Result<ContractText>>> {
  const wanted = new Set(names);
  const found = new Map<string, Result<ContractText>>();
  let left = most;
  for (let level = [""]; level.length > 0 && wanted.size > 0 && left >= 0;) {
    const below: string[] = [];
    for (const folder of level) {
      const entries = await list(root, folder);
      left -= entries.length;
      if (left < 0) break;
      for (const { name, type } of entries) {
        if (name.startsWith(".")) continue;
        const path = folder === "" ? name : `${folder}/${name}`;
        if (type === "folder") below.push(path);
        const contract = basename(name, CONTRACT_EXTENSION);
        if (type === "file" && contract !== name && wanted.delete(contract))
          found.set(contract, await read(root, path));
      }
    }
    level = below.toSorted();
  }
  if (left < 0)
    for (const name of wanted) {
      const what = `${name}${CONTRACT_EXTENSION} is not among the first ${most} names of ${root}`;
      found.set(name, refuse("contract_not_found", `${what}: give its path with --contract.`));
    }
  return found;
}

/** What is in a folder. What cannot be listed has nothing in it that could be read. */
async function list(root: string, folder: string): Promise<{ name: string; type: string }[]> {
  try {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, type: typeOf(entry) }));
  } catch {
    return [];
  }
}

async function read(root: string, path: string): Promise<Result<ContractText>> {
  try {
    const text = decodeUtf8(await readRegularFile(join(root, path)));
    return text === null ? refuse("bad_request", `${path} is not UTF-8 text.`) : ok({ path, text });
  } catch (error) {
    return refuse("bad_request", `${path} cannot be read: ${reasonOf(error)}.`);
  }
}
