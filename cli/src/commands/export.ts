import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unwrap } from "@incipit/client";
import { formatTemplateFile, pathOfKey } from "@incipit/files";
import { isKey, type ListItem } from "@incipit/schema";
import * as parse from "../arguments.ts";
import type { CommandRun, CommonOptions, Host } from "../host.ts";
import { reasonOf } from "../input.ts";
import { EXIT, type ExitCode } from "../io.ts";
import { count, printable } from "../text.ts";

type Options = CommonOptions & { label?: string; prefix?: string; force?: boolean };

/** `incipit export DIR`: writes a folder that import reads. */
export function defineExport({ command, withClient }: Host): void {
  command("export", "write what is live (else the newest) as a folder that import reads; seeds are left out")
    .argument("<dir>")
    .option("--label <label>", "the pointer to follow (production)", parse.label)
    .option("--prefix <text>", "only keys that begin so")
    .option("--force", "also into a folder that is not empty; files of the same name are replaced")
    .action((dir: string, options: Options) => withClient(options, (run) => exportTo(run, dir, options)));
}

/** Bodies fetched at once. */
const CONCURRENCY = 16;

async function exportTo({ client, io, print }: CommandRun, dir: string, options: Options): Promise<ExitCode> {
  const fault = await findFault(dir, options.force ?? false);
  if (fault !== null) {
    io.err(`incipit: ${printable(dir)} ${fault}\n`);
    return EXIT.usage;
  }
  const { label = "production", prefix } = options;
  const items: ListItem[] = [];
  for await (const item of client.listAll({ prefix, limit: 200 })) items.push(item);
  const written: string[] = [];
  const queue = items.values();
  const work = async () => {
    for (const { key, labels, newest } of queue) {
      const version = labels[label] ?? newest;
      // A key with nothing but its seed is the software's, not the user's. A key from the bus becomes a path only
      // where it is a key, which no `..` is.
      if (version === null || !isKey(key)) continue;
      const stored = unwrap(await client.get(key, { version }));
      const { body, kind, syntax, contract, onError, config, tags } = stored;
      const path = join(dir, pathOfKey(key));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(
        path,
        formatTemplateFile({ key, body, settings: { kind, syntax, contract, onError, config, tags } }),
      );
      written.push(key);
    }
  };
  await mkdir(dir, { recursive: true });
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  print(
    { written: written.toSorted() },
    () => `${count(written.length, "file")} written to ${printable(dir)}\n`,
  );
  return EXIT.done;
}

async function findFault(dir: string, force: boolean): Promise<string | null> {
  try {
    const names = await readdir(dir);
    return names.length > 0 && !force ? "is not empty; --force writes into it all the same." : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    return `cannot be written to: ${reasonOf(error)}.`;
  }
}
