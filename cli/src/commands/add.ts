import { InvalidArgumentError, Option } from "commander";
import {
  KINDS,
  LABEL_PATTERN,
  ON_ERROR,
  SYNTAXES,
  type AddReply,
  type Kind,
  type OnError,
  type Syntax,
} from "@incipit/schema";
import { parseTemplateFile, pathOfKey } from "@incipit/files";
import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { readText } from "../input.ts";
import { EXIT } from "../io.ts";

type Options = CommonOptions & {
  kind?: Kind;
  syntax?: Syntax;
  contract?: string;
  onError?: OnError;
  tag?: string[];
  note?: string;
  frontMatter?: boolean;
  expectNewest?: parse.SeenVersion;
  commandId?: string;
  activate?: true | string;
  dryRun?: boolean;
};

/** `incipit add KEY FILE|-`: stores a new version. */
export function defineAdd({ command, withClient, withoutClient, io }: Host): void {
  command("add", "store a new version; nothing changes for callers until it is activated")
    .argument("<key>")
    .argument("<file>", "the body, byte for byte; - is stdin")
    .addOption(new Option("--kind <kind>", "what the template is for").choices(KINDS))
    .addOption(new Option("--syntax <syntax>", "how the body is read").choices(SYNTAXES))
    .option("--contract <name>", "the contract it is written against")
    .addOption(new Option("--on-error <what>", "what a failing render does").choices(ON_ERROR))
    .option("--tag <tag>", "a tag; may be given several times", parse.collect)
    .option("--note <text>", "why")
    .option("--front-matter", "read settings from the front matter of the file, as import does")
    .option("--expect-newest <version|none>", "refuse if another version is the newest", parse.seenVersion)
    .option("--command-id <id>", "makes a retry of this command safe, for ever")
    .option("--activate [label]", "put it live too (production)", labelOrDefault)
    .option("--dry-run", "check, and store nothing")
    .action(async (key: string, file: string, options: Options) => {
      const input = await readText(io, file);
      if (!input.ok)
        return withoutClient(async () => {
          io.err(`incipit: ${input.message}\n`);
          return EXIT.usage;
        });
      return withClient(options, async ({ client, print, refuse }) => {
        const parsed = options.frontMatter
          ? // What the file says of its kind, and what is the default, depends on the key, not on the file's name.
            parseTemplateFile(pathOfKey(key), input.text)
          : ({ ok: true, value: { body: input.text } } as const);
        if (!parsed.ok) return refuse(parsed.problem);
        if (!options.frontMatter && /^---\r?\n/.test(input.text))
          io.err("incipit: note: the front matter is stored as text; --front-matter reads it as settings.\n");
        const { body } = parsed.value;
        const { kind, syntax, contract, onError, tag, note, expectNewest, commandId, activate, dryRun } =
          options;
        const result = await client.add(key, {
          ...("settings" in parsed.value ? parsed.value.settings : {}),
          body,
          ...(kind !== undefined && { kind }),
          ...(syntax !== undefined && { syntax }),
          ...(contract !== undefined && { contract }),
          ...(onError !== undefined && { onError }),
          ...(tag !== undefined && { tags: tag }),
          ...(note !== undefined && { note }),
          expectNewest: parse.toExpectation(expectNewest),
          commandId,
          activate,
          dryRun,
        });
        if (!result.ok) return refuse(result.problem, { name: file === "-" ? key : file, body });
        print(result.value, () => describe(result.value));
        return EXIT.done;
      });
    });
}

function labelOrDefault(text: string): string {
  if (!LABEL_PATTERN.test(text))
    throw new InvalidArgumentError("A label begins with a-z and goes on with a-z, 0-9 and -.");
  return text;
}

function describe(reply: AddReply): string {
  const done = reply.dryRun ? "would be stored" : "stored";
  const stored = reply.unchanged ? "is stored already" : done;
  const live = reply.activated === null ? "" : `, active under ${reply.activated}`;
  const lines = [`${reply.key}@${reply.version} ${stored}${live}, seq ${reply.seq}`];
  for (const warning of reply.warnings) lines.push(`warning: ${warning}`);
  return `${lines.join("\n")}\n`;
}
