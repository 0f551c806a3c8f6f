import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unwrap, type Client } from "@incipit/client";
import { formatTemplateFile } from "@incipit/files";
import * as parse from "../arguments.ts";
import { findObstacle, findPath, isUnfinished, removeUnfinished, writeBelow } from "../export/place.ts";
import { selectVersion, type Selected } from "../export/selection.ts";
import type { CommandRun, CommonOptions, Host } from "../host.ts";
import { reasonOf } from "../input.ts";
import { EXIT, type ExitCode } from "../io.ts";
import { count, printable } from "../text.ts";

type Options = CommonOptions & { label?: string; prefix?: string; activeOnly?: boolean; force?: boolean };

/** `incipit export DIR`: writes a folder that import reads. */
export function defineExport({ command, withClient }: Host): void {
  command("export", "write what is live (else the newest) as a folder that import reads; seeds are left out")
    .argument("<dir>")
    .option("--label <label>", "the pointer to follow, and where it points nowhere production", parse.label)
    .option("--prefix <text>", "only keys that begin so")
    .option("--active-only", "leave out what is not live")
    .option("--force", "also into a folder that is not empty; files of the same keys are replaced")
    .action((dir: string, options: Options) => withClient(options, (run) => exportTo(run, dir, options)));
}

/** Bodies fetched at once. */
const CONCURRENCY = 16;

/** A version to write, and where; paths are relative, with `/`. */
type Export = Selected & { path: string };

async function exportTo(run: CommandRun, dir: string, options: Options): Promise<ExitCode> {
  const { client, io, json, print, misuse } = run;
  const fault = await findFault(dir, options.force ?? false);
  if (fault !== null) return misuse(`${printable(dir)} ${fault}`);
  const exports = await listExports(client, dir, options);
  const faults = await prepare(dir, exports);
  if (faults.length === 0) faults.push(...(await writeAll(client, dir, exports)));
  if (faults.length > 0 && json) return misuse(`${faults.join("; ")}.`);
  for (const one of faults) io.err(`incipit: ${printable(one)}.\n`);
  if (faults.length > 0) return EXIT.usage;
  const notLive = exports.flatMap(({ key, isLive }) => (isLive ? [] : [key])).toSorted();
  print(
    { written: exports.map(({ key }) => key).toSorted(), notLive },
    () => `${count(exports.length, "file")} written to ${printable(dir)}\n`,
  );
  if (!json && notLive.length > 0)
    io.err(
      `incipit: note: not live, so that \`import --activate\` would put them live: ${notLive.join(", ")}. --active-only leaves them out.\n`,
    );
  return EXIT.done;
}

async function listExports(client: Client, dir: string, options: Options): Promise<Export[]> {
  const exports: Export[] = [];
  for await (const item of client.listAll({ prefix: options.prefix, limit: 200 })) {
    const selected = selectVersion(item, options);
    if (selected !== null) exports.push({ ...selected, path: await findPath(dir, selected.key) });
  }
  return exports;
}

/** Makes the folder, and clears away what a killed export left; gives what stands in the way, before anything is written. */
async function prepare(dir: string, exports: readonly Export[]): Promise<string[]> {
  const faults = new Set<string>();
  const folders = new Set(exports.map(({ path }) => dirname(path)));
  try {
    await mkdir(dir, { recursive: true });
    for (const { path } of exports) {
      const obstacle = await findObstacle(dir, path);
      if (obstacle !== null) faults.add(`${join(dir, obstacle.path)} ${obstacle.why}; nothing was written`);
    }
    if (faults.size === 0) for (const folder of folders) await removeUnfinished(join(dir, folder));
  } catch (error) {
    faults.add(`${dir} cannot be written to: ${reasonOf(error)}`);
  }
  return [...faults];
}

/** Fetches and writes, several at once; gives what could not be written. After the first fault, no more is begun. */
async function writeAll(client: Client, dir: string, exports: readonly Export[]): Promise<string[]> {
  const faults: string[] = [];
  const queue = exports.values();
  const work = async () => {
    for (const { key, version, path } of queue) {
      if (faults.length > 0) return;
      const stored = unwrap(await client.get(key, { version }));
      const { body, kind, syntax, contract, onError, config, tags } = stored;
      const settings = { kind, syntax, contract, onError, config, tags };
      try {
        await writeBelow(dir, path, formatTemplateFile({ key, body, settings }));
      } catch (error) {
        faults.push(`${join(dir, path)} cannot be written: ${reasonOf(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return faults;
}

async function findFault(dir: string, force: boolean): Promise<string | null> {
  try {
    const names = (await readdir(dir)).filter((name) => !isUnfinished(name));
    return names.length > 0 && !force ? "is not empty; --force writes into it all the same." : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    return `cannot be written to: ${reasonOf(error)}.`;
  }
}
