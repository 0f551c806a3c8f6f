import { unwrap, type Client } from "@incipit/client";
import { readTemplateFolder } from "@incipit/files";
import type { ListItem } from "@incipit/schema";
import * as parse from "../arguments.ts";
import type { CommandRun, CommonOptions, Host } from "../host.ts";
import { foresee } from "../import/dry-run.ts";
import { planImport, readBodies, type ImportFile, type Refusal } from "../import/plan.ts";
import { refuseFiles } from "../import/refused-files.ts";
import { report, reportForeseen } from "../import/report.ts";
import { addWith, isSame, sendWaves } from "../import/send.ts";
import { fetchPartials } from "../import/stored-partials.ts";
import { openTree } from "../import/tree.ts";
import { reasonOf } from "../input.ts";
import type { ExitCode } from "../io.ts";
import { count, printable } from "../text.ts";

type Options = CommonOptions & { activate?: boolean; label?: string; note?: string; dryRun?: boolean };

/** `incipit import DIR`: stores what a folder holds, partials before their users. */
export function defineImport({ command, withClient }: Host): void {
  command("import", "store the templates of a folder; one bad file, and nothing is sent")
    .argument("<dir>", "folder of .md, .hbs and .txt files; the path without extension is the key")
    .option("--activate", "put each live too")
    .option("--label <label>", "with --activate: the pointer to move (production)", parse.label)
    .option("--note <text>", "why")
    .option("--dry-run", "ask the registry what would be stored, and store nothing")
    .action((dir: string, options: Options) => withClient(options, (run) => importFolder(run, dir, options)));
}

async function importFolder(run: CommandRun, dir: string, options: Options): Promise<ExitCode> {
  const { client, io, json, misuse } = run;
  const tree = openTree(dir);
  let folder;
  try {
    folder = await readTemplateFolder(tree);
  } catch (error) {
    return misuse(`${printable(dir)} cannot be read: ${reasonOf(error)}.`);
  }
  const { ignored } = tree;
  if (!json) for (const path of ignored) io.err(`ignored (not a template): ${printable(path)}\n`);
  const existing: ListItem[] = [];
  for await (const item of client.listAll({ limit: 200 })) existing.push(item);

  const label = options.label ?? "production";
  const read = readBodies(folder.files);
  const partials = await fetchPartials(client, read.bodies, existing, label);
  const plan = planImport(folder.files, read, existing, partials);
  const refused = [...folder.refused, ...plan.refused];
  if (refused.length > 0) return refuseAll(run, refused);

  const { toSend, same } = await splitOffSame(client, plan.waves, existing, label);
  const how = {
    ...(options.activate && { activate: label }),
    ...(options.note !== undefined && { note: options.note }),
  };
  const activeBefore = new Map(
    existing.flatMap(({ key, labels }) => (labels[label] === undefined ? [] : [[key, labels[label]]])),
  );
  const foreseen = await foresee(
    { waves: toSend, needs: plan.needs },
    {
      ask: addWith(client, { ...how, dryRun: true }),
      compare: async (file) =>
        options.dryRun ? compareWithNewest(client, file, existing, how.activate) : "created",
      activeBefore,
    },
  );
  const planned = { same, ignored, count: toSend.flat().length };
  if (options.dryRun) return reportForeseen(run, foreseen, planned);
  const unwanted = foreseen.flatMap((one) => (one.outcome === "refused" ? [one] : []));
  if (unwanted.length > 0)
    return refuseAll(
      run,
      unwanted.map(({ file: { path, file }, problem }) => ({ path, problem, body: file.body })),
    );
  const sent = await sendWaves(toSend, addWith(client, how), activeBefore);
  return report(run, sent, planned);
}

/**
 * Takes out the files that equal what the label points at although something newer is stored (a rollback): storing them
 * again would only repeat an old version under a new number. The registry itself skips what equals the newest.
 */
async function splitOffSame(
  client: Client,
  waves: readonly ImportFile[][],
  existing: readonly ListItem[],
  label: string,
): Promise<{ toSend: ImportFile[][]; same: ImportFile[] }> {
  const known = new Map(existing.map((item) => [item.key, item]));
  const same: ImportFile[] = [];
  const toSend: ImportFile[][] = [];
  for (const wave of waves) {
    const kept: ImportFile[] = [];
    for (const one of wave) {
      const item = known.get(one.file.key);
      const active = item?.labels[label];
      const isRolledBack = active !== undefined && item?.newest !== active;
      if (isRolledBack && isSame(one, unwrap(await client.get(one.file.key, { version: active }))))
        same.push(one);
      else kept.push(one);
    }
    toSend.push(kept);
  }
  return { toSend, same };
}

/** What storing a file would do if nothing were wrong with it; `activate` is the label to move, if any. */
async function compareWithNewest(
  client: Client,
  file: ImportFile,
  existing: readonly ListItem[],
  activate: string | undefined,
): Promise<"created" | "activated" | "unchanged"> {
  const { key } = file.file;
  const { newest = null, labels = {} } = existing.find((item) => item.key === key) ?? {};
  if (newest === null || !isSame(file, unwrap(await client.get(key, { version: newest })))) return "created";
  return activate !== undefined && labels[activate] !== newest ? "activated" : "unchanged";
}

function refuseAll(run: CommandRun, refused: readonly Refusal[]): ExitCode {
  const message = `${count(refused.length, "file")} refused, nothing was sent.`;
  const code = refuseFiles(run, refused, message);
  if (!run.json) run.io.err(`incipit: ${message}\n`);
  return code;
}
