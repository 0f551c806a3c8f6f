import { unwrap, type Client } from "@incipit/client";
import { readTemplateFolder } from "@incipit/files";
import type { ListItem } from "@incipit/schema";
import { parseTemplate } from "@incipit/templates";
import * as parse from "../arguments.ts";
import type { CommandRun, CommonOptions, Host } from "../host.ts";
import { planImport, type ImportFile, type Refusal } from "../import/plan.ts";
import { addWith, isSame, sendWaves, type Sent } from "../import/send.ts";
import { openTree } from "../import/tree.ts";
import { reasonOf } from "../input.ts";
import { EXIT, type ExitCode } from "../io.ts";
import { count, printable } from "../text.ts";

type Options = CommonOptions & { activate?: boolean; label?: string; note?: string; dryRun?: boolean };

/** `incipit import DIR`: stores what a folder holds, partials before their users. */
export function defineImport({ command, withClient }: Host): void {
  command("import", "store the templates of a folder; one bad file, and nothing is sent")
    .argument("<dir>", "folder of .md, .hbs and .txt files; the path without extension is the key")
    .option("--activate", "put each live too")
    .option("--label <label>", "with --activate: the pointer to move (production)", parse.label)
    .option("--note <text>", "why")
    .option("--dry-run", "check, and send nothing")
    .action((dir: string, options: Options) => withClient(options, (run) => importFolder(run, dir, options)));
}

async function importFolder(run: CommandRun, dir: string, options: Options): Promise<ExitCode> {
  const { client, io } = run;
  const tree = openTree(dir);
  let folder;
  try {
    folder = await readTemplateFolder(tree);
  } catch (error) {
    io.err(`incipit: ${printable(dir)} cannot be read: ${reasonOf(error)}.\n`);
    return EXIT.usage;
  }
  for (const path of tree.ignored) io.err(`ignored: ${printable(path)}\n`);
  const existing: ListItem[] = [];
  for await (const item of client.listAll({ limit: 200 })) existing.push(item);

  const plan = planImport(folder.files, existing, parseTemplate);
  const refused = [...folder.refused, ...plan.refused];
  if (refused.length > 0) return refuseAll(run, refused);

  const label = options.label ?? "production";
  const { toSend, same } = await splitOffSame(client, plan.waves, existing, label);
  if (options.dryRun) return reportPlan(run, toSend, same);
  const sent = await sendWaves(
    toSend,
    addWith(client, {
      ...(options.activate && { activate: label }),
      ...(options.note !== undefined && { note: options.note }),
    }),
    new Map(
      existing.flatMap(({ key, labels }) => (labels[label] === undefined ? [] : [[key, labels[label]]])),
    ),
  );
  return report(run, sent, same, toSend.flat().length);
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

function refuseAll({ io, json, refuse }: CommandRun, refused: readonly Refusal[]): ExitCode {
  if (json) {
    io.err(
      `${JSON.stringify({ refused: refused.map(({ path, problem }) => ({ path, error: problem })) })}\n`,
    );
    return EXIT.refused;
  }
  for (const { path, problem, body } of refused)
    refuse(problem, body === undefined ? undefined : { name: path, body });
  io.err(`incipit: ${count(refused.length, "file")} refused, nothing was sent.\n`);
  return EXIT.refused;
}

function reportPlan(
  { print }: CommandRun,
  toSend: readonly ImportFile[][],
  same: readonly ImportFile[],
): ExitCode {
  const files = toSend.flat();
  print(
    {
      dryRun: true,
      checked: files.map(({ path, file }) => ({ path, key: file.key })),
      skipped: same.map(({ path }) => path),
    },
    () => `${count(files.length + same.length, "file")} checked, none refused; nothing was sent.\n`,
  );
  return EXIT.done;
}

function report(
  run: CommandRun,
  sent: readonly Sent[],
  same: readonly ImportFile[],
  planned: number,
): ExitCode {
  const of = (outcome: Sent["outcome"]) => sent.filter((one) => one.outcome === outcome);
  const refusals = sent.flatMap((one) => (one.outcome === "refused" ? [one] : []));
  const created = of("created");
  const activated = of("activated");
  const skipped = [...of("unchanged").map(({ file }) => file), ...same];
  const unsent = planned - sent.length;
  const seq = Math.max(0, ...sent.map((one) => (one.outcome === "refused" ? 0 : one.reply.seq)));
  run.print(
    {
      created: created.map(({ file }) => file.file.key).toSorted(),
      activated: activated.map(({ file }) => file.file.key).toSorted(),
      skipped: skipped.map(({ file }) => file.key).toSorted(),
      refused: refusals.map(({ file, problem }) => ({ path: file.path, error: problem })),
      unsent,
      seq,
    },
    () => {
      const rest = activated.length === 0 ? "" : `, ${activated.length} activated only`;
      const left = unsent === 0 ? "" : `, ${unsent} not sent`;
      return `${created.length} created, ${skipped.length} skipped (unchanged)${rest}, ${refusals.length} refused${left}${seq === 0 ? "" : `, seq ${seq}`}\n`;
    },
  );
  let code: ExitCode = EXIT.done;
  for (const { file, problem } of refusals)
    code = run.refuse(problem, { name: file.path, body: file.file.body });
  return code;
}
