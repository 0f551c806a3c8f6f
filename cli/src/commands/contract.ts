import { TEMPLATE_EXTENSIONS } from "@incipit/files";
import type { ContractItem, ContractReply, PublishReply } from "@incipit/schema";
import {
  LIMITS,
  ok,
  readStoredContract,
  writeContractTypes,
  type Contract,
  type Result,
} from "@incipit/schema";
import { inferContract, writeContractReference, type LinkedTemplate } from "@incipit/templates";
import * as parse from "../arguments.ts";
import { loadFile } from "../check/load.ts";
import { linkStored } from "../check/stored-template.ts";
import { contractNameOf, readContract } from "../contract-file.ts";
import type { CommandRun, CommonOptions, Host } from "../host.ts";
import { readText } from "../input.ts";
import { EXIT, type ExitCode } from "../io.ts";
import { askedFor } from "../stored-source.ts";
import { count, formatFields, formatTable, printable } from "../text.ts";

/** `incipit contract …`: the documented contexts that templates are written against. */
export function defineContract(host: Host): void {
  const group = host.group(
    "contract",
    "contracts: the documented contexts that templates are written against",
  );
  definePublish(group);
  defineShow(group);
  defineList(group);
  defineReference(group);
  defineTypes(group);
  defineInfer(group);
}

type PublishOptions = CommonOptions & {
  name?: string;
  note?: string;
  expectVersion?: parse.SeenVersion;
  commandId?: string;
  dryRun?: boolean;
};

function definePublish({ command, withClient, misuse, io }: Host): void {
  command("publish", "publish the next version of a contract; only additions and what widens are accepted")
    .argument("<file>", "the document, NAME.contract.json; - is stdin")
    .option("--name <name>", "the contract's name, where the file's name does not say it")
    .option("--note <text>", "why")
    .option("--expect-version <version|none>", "refuse if another version is the newest", parse.seenVersion)
    .option("--command-id <id>", "makes a retry of this command safe, for ever")
    .option("--dry-run", "check, list who would no longer pass, and store nothing")
    .action(async (file: string, options: PublishOptions) => {
      const input = await readText(io, file);
      if (!input.ok) return misuse(options, input.message);
      return withClient(options, async ({ client, print, refuse }) => {
        const name = options.name === undefined ? contractNameOf(file, "--name") : ok(options.name);
        if (!name.ok) return refuse(name.problem);
        const contract = readContract(name.value, input.text, file);
        if (!contract.ok) return refuse(contract.problem);
        const { note, expectVersion, commandId, dryRun } = options;
        const result = await client.publish(name.value, {
          document: contract.value.document,
          ...(note !== undefined && { note }),
          expectVersion: parse.toExpectation(expectVersion),
          commandId,
          dryRun,
        });
        if (!result.ok) return refuse(result.problem);
        print(result.value, () => describePublished(result.value));
        return EXIT.done;
      });
    });
}

function describePublished(reply: PublishReply): string {
  const done = reply.dryRun ? "would be published" : "published";
  const what = reply.unchanged ? "is published already" : done;
  const lines = [`${reply.name}, version ${reply.version}, ${what}, seq ${reply.seq}\n`];
  if (reply.affectedCount > 0) {
    const verb = reply.affectedCount === 1 ? "passes" : "pass";
    const whom = count(reply.affectedCount, "active template");
    lines.push(`${whom} no longer ${verb}: rendered where that is possible, and refused at the next edit\n`);
  }
  for (const { key, version, label, findings } of reply.affected) {
    lines.push(`  ${key}@${version} (${label})\n`);
    for (const { line, column, message, partial } of findings)
      lines.push(
        `    ${partial === undefined ? "" : `${partial}:`}${line}:${column} ${printable(message)}\n`,
      );
  }
  return lines.join("");
}

function defineShow({ command, withClient }: Host): void {
  command("show", "show a version of a contract, with its document")
    .argument("<name>")
    .option("--version <version>", "another version than the newest", parse.version)
    .option("--document", "print the document alone, as JSON")
    .action((name: string, options: CommonOptions & { version?: number; document?: boolean }) =>
      withClient(options, async ({ client, io, print, refuse }) => {
        const { version } = options;
        const result = await client.contract(name, { ...(version !== undefined && { version }) });
        if (!result.ok) return refuse(result.problem);
        if (options.document) io.out(`${JSON.stringify(result.value.document, null, 2)}\n`);
        else print(result.value, () => describeContract(result.value));
        return EXIT.done;
      }),
    );
}

function describeContract(reply: ContractReply): string {
  const fields: [string, string | number][] = [
    ["name", reply.name],
    ["version", reply.version],
    ["note", reply.note || "-"],
    ["author", reply.actor],
    ["created", reply.created],
    ["hash", reply.hash],
    ["seq", reply.seq],
  ];
  return `${formatFields(fields)}\n${JSON.stringify(reply.document, null, 2)}\n`;
}

function defineList({ command, withClient }: Host): void {
  command("list", "list the contracts, each with its newest version").action((options: CommonOptions) =>
    withClient(options, async ({ client, print }) => {
      const items: ContractItem[] = [];
      for await (const item of client.contractsAll({ limit: LIMITS.pageItems })) items.push(item);
      print({ items }, () =>
        formatTable(
          ["NAME", "VERSION", "PUBLISHED", "BY", "NOTE"],
          items.map(({ name, version, created, actor, note }) => [name, version, created, actor, note]),
        ),
      );
      return EXIT.done;
    }),
  );
}

function defineReference(host: Host): void {
  const about = "print what authors of templates read about a contract, as Markdown";
  defineOutput(host, "reference", about, (contract, version) => writeContractReference(contract, version));
}

function defineTypes(host: Host): void {
  defineOutput(host, "types", "print the context of a contract as TypeScript types", (contract) =>
    writeContractTypes(contract),
  );
}

/** A command that prints something made of a contract: a file's, without a server, or a published one. */
function defineOutput(
  { command, withClient, withoutClient, misuse, io }: Host,
  verb: string,
  about: string,
  write: (contract: Contract, version: number | null) => string,
): void {
  command(verb, about)
    .argument("<name|file>", "a published contract, or a file NAME.contract.json")
    .action(async (from: string, options: CommonOptions) => {
      const print = (contract: Contract, version: number | null): ExitCode => {
        const text = write(contract, version);
        io.out(
          options.json
            ? `${JSON.stringify({ name: contract.name, version, [verb]: text }, null, 2)}\n`
            : text,
        );
        return EXIT.done;
      };
      if (!from.endsWith(".json"))
        return withClient(options, async (run) => {
          const contract = await fetchContract(run, from);
          return contract.ok
            ? print(contract.value.contract, contract.value.version)
            : run.refuse(contract.problem);
        });
      const input = await readText(io, from);
      if (!input.ok) return misuse(options, input.message);
      return withoutClient(options, async ({ refuse }) => {
        const name = contractNameOf(from);
        const contract = name.ok ? readContract(name.value, input.text, from) : name;
        return contract.ok ? print(contract.value, null) : refuse(contract.problem);
      });
    });
}

/** The newest version of a published contract. */
export async function fetchContract(
  { client }: Pick<CommandRun, "client">,
  name: string,
): Promise<Result<{ contract: Contract; version: number }>> {
  const reply = await client.contract(name);
  if (!reply.ok) return reply;
  const { version, document } = reply.value;
  const contract = readStoredContract(name, version, document);
  return contract.ok ? ok({ contract: contract.value, version }) : contract;
}

function defineInfer({ command, withClient, withoutClient, misuse, io }: Host): void {
  const print = (linked: LinkedTemplate): ExitCode => {
    io.out(`${JSON.stringify(inferContract(linked), null, 2)}\n`);
    return EXIT.done;
  };
  command("infer", "propose a contract for what a template reads; print it as JSON, to be read and corrected")
    .argument(
      "<ref|file>",
      `a stored template, KEY, KEY@3 or KEY@staging; or a file (${TEMPLATE_EXTENSIONS.join(" ")}), whose partials are looked for in its folder`,
    )
    .option("--root <dir>", "the folder that the keys of files are relative to")
    .action(async (from: string, options: CommonOptions & { root?: string }) => {
      if (!TEMPLATE_EXTENSIONS.some((extension) => from.endsWith(extension)))
        return withClient(options, async ({ client, refuse }) => {
          const linked = await linkStored(client, askedFor(from));
          if (linked.ok) return print(linked.value);
          const { body } = linked;
          return refuse(linked.problem, body === undefined ? undefined : { name: from, body });
        });
      const loaded = await loadFile(from, options.root);
      if (!loaded.ok) return misuse(options, loaded.message);
      return withoutClient(options, async ({ refuse }) => {
        const linked = loaded.link();
        return linked.ok ? print(linked.value) : refuse(linked.problem, loaded.source);
      });
    });
}
