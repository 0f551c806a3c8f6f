import { join } from "node:path";
import type { TemplateFile } from "@incipit/files";
import { ok, refuse, type Contract, type Finding, type Problem, type Result } from "@incipit/schema";
import { formatFinding } from "@incipit/templates";
import { checkFileIn, type ContractOf, type FileReport } from "../check/check-library.ts";
import { findContracts, type ContractText } from "../check/contract-files.ts";
import { isFolder, loadFile, loadFolder, type Library } from "../check/load.ts";
import { contractNameOf, readContract } from "../contract-file.ts";
import type { CommonOptions, Host } from "../host.ts";
import { readText, reasonOf } from "../input.ts";
import { EXIT, type ExitCode, type Io } from "../io.ts";
import { bodyInFile } from "../file-lines.ts";
import { count, printable } from "../text.ts";
import { fetchContract } from "./contract.ts";

type Options = CommonOptions & { contract?: string; root?: string };

/** Files with the folder that their includes are looked for in. */
type Batch = {
  library: Library;
  files: { path: string; key: string }[];
  /** Files that are no templates. */
  refused: readonly { path: string; problem: Problem }[];
  /** The contracts that the files name, by name; none where all are checked against one that is given. */
  contracts: ReadonlyMap<string, Result<ContractText>>;
};

/** `incipit check FILE…`: says what the registry would refuse, without one. */
export function defineCheck({ command, withClient, withoutClient, misuse, io }: Host): void {
  command(
    "check",
    "say what would be refused of template files, and show a context that makes each fail; works offline",
  )
    .argument("<files...>", "templates, or folders of them; what they include is looked for beside them")
    .option(
      "--contract <name|file>",
      "check against this contract: a file NAME.contract.json, or one that the registry is asked for. Without it each " +
        "file is checked against the contract that its front matter names, found in the folder",
    )
    .option(
      "--root <dir>",
      "the folder that keys are relative to; else the nearest one with _partials, or the file's",
    )
    .action(async (paths: string[], options: Options) => {
      const batches = await loadBatches(paths, options);
      if (!batches.ok) return misuse(options, batches.message);
      const { contract } = options;
      if (contract !== undefined && !contract.endsWith(".json"))
        return withClient(options, async (run) => {
          const found = await fetchContract(run, contract);
          if (!found.ok) return run.refuse(found.problem);
          return checkAll(io, options, batches.value, found.value.contract);
        });
      if (contract === undefined)
        return withoutClient(options, async () => checkAll(io, options, batches.value, null));
      const input = await readText(io, contract);
      if (!input.ok) return misuse(options, input.message);
      return withoutClient(options, async ({ refuse: refuseWith }) => {
        const name = contractNameOf(contract);
        const read = name.ok ? readContract(name.value, input.text, contract) : name;
        return read.ok ? checkAll(io, options, batches.value, read.value) : refuseWith(read.problem);
      });
    });
}

async function loadBatches(
  paths: readonly string[],
  { root, contract }: Options,
): Promise<{ ok: true; value: Batch[] } | { ok: false; message: string }> {
  const batches: Batch[] = [];
  const isGiven = contract !== undefined;
  for (const path of paths) {
    try {
      if (await isFolder(path)) {
        const library = await loadFolder(path);
        const files = [...library.paths].map(([key, inside]) => ({ path: join(path, inside), key }));
        const contracts = await contractsIn(library, [...library.files.values()], isGiven);
        batches.push({ library, files, refused: library.refused, contracts });
        continue;
      }
    } catch (error) {
      return { ok: false, message: `${path} cannot be read: ${reasonOf(error)}.` };
    }
    const loaded = await loadFile(path, root);
    if (!loaded.ok) return loaded;
    const { file, library } = loaded;
    const contracts = await contractsIn(library, [file], isGiven);
    batches.push({ library, files: [{ path, key: file.key }], refused: [], contracts });
  }
  return { ok: true, value: batches };
}

/** The contracts that templates of a folder name. */
async function contractsIn(
  { root }: Library,
  files: readonly TemplateFile[],
  isGiven: boolean,
): Promise<Batch["contracts"]> {
  const names = isGiven ? [] : files.flatMap(({ settings }) => settings.contract ?? []);
  return findContracts(root, names);
}

function checkAll(io: Io, { json }: Options, batches: readonly Batch[], contract: Contract | null): ExitCode {
  const reports: { report: FileReport; library: Library }[] = [];
  const refused: { path: string; problem: Problem }[] = [];
  for (const { library, files, contracts, refused: unread } of batches) {
    refused.push(...unread);
    const contractOf = contractsOf(contracts, contract);
    for (const { path, key } of files) {
      const file = library.files.get(key);
      if (file !== undefined) reports.push({ report: checkFileIn(library, path, file, contractOf), library });
    }
  }
  const findings = reports.reduce((sum, { report }) => sum + report.findings.length, 0);
  const errors = refused.length + reports.filter(({ report }) => report.error !== undefined).length;
  if (json) {
    const files = reports.map(({ report }) => report);
    const others = refused.map(({ path, problem: error }) => ({ path, error }));
    io.out(`${JSON.stringify({ files, refused: others, findings }, null, 2)}\n`);
  } else {
    for (const { path, problem } of refused) io.err(`${printable(path)}: ${printable(problem.message)}\n`);
    for (const { report, library } of reports) io.err(describe(report, library));
    // A partial is checked with the contracts of who includes it.
    const isFree = ({ report, library }: (typeof reports)[number]) =>
      report.contract === null &&
      report.error === undefined &&
      library.files.get(report.key)?.settings.kind !== "partial";
    const free = reports.filter(isFree).length;
    io.out(summary(reports.length + refused.length, findings, errors, free));
  }
  return findings + errors > 0 ? EXIT.refused : EXIT.done;
}

function summary(files: number, findings: number, errors: number, free: number): string {
  const rest = errors === 0 ? "" : `, ${errors} could not be checked`;
  // For syntax and includes alone: nobody should take that for a promise.
  const without = free === 0 ? "" : `, ${free} without a contract`;
  return `${count(files, "file")} checked, ${count(findings, "finding")}${rest}${without}\n`;
}

/** The contract of each file: the one given, for all but partials, else the one its front matter names. */
function contractsOf(contracts: Batch["contracts"], given: Contract | null): ContractOf {
  const read = new Map<string, Result<Contract>>();
  return ({ key, settings: { kind, contract: name } }) => {
    if (given !== null && (kind !== "partial" || name !== null)) return ok(given);
    if (name === null) return ok(null);
    const known = read.get(name);
    if (known !== undefined) return known;
    const file = contracts.get(name);
    const contract =
      file === undefined
        ? refuse(
            "contract_not_found",
            `${name}.contract.json is not in the folder; --contract ${name} asks the registry.`,
            { key },
          )
        : file.ok
          ? readContract(name, file.value.text, file.value.path)
          : file;
    read.set(name, contract);
    return contract;
  };
}

function describe({ path, key, findings, warnings, error }: FileReport, library: Library): string {
  const show = (finding: Finding): string => {
    const { partial, ...here } = finding;
    const file = library.files.get(partial ?? key);
    const body = bodyInFile(file?.body ?? "", file?.frontLines);
    const name = partial === undefined ? path : `${path}: in ${partial}`;
    return `${printable(name)}:${formatFinding(body, here)}\n`;
  };
  const lines = findings.map(show);
  for (const warning of warnings) lines.push(show({ ...warning, message: `warning: ${warning.message}` }));
  if (error !== undefined) lines.push(`${printable(path)}: ${error.code}: ${printable(error.message)}\n`);
  return lines.join("");
}
