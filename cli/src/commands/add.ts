import { InvalidArgumentError, Option } from "commander";
import {
  KINDS,
  LABEL_PATTERN,
  ON_ERROR,
  parseKey,
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
import { bodyInFile, problemInFile } from "../file-lines.ts";
import { EXIT } from "../io.ts";
import { renderersLine } from "../renderers-text.ts";

type Options = CommonOptions & {
  kind?: Kind;
  syntax?: Syntax;
  contract?: string;
  onError?: OnError;
  tag?: string[];
  /** False with `--no-tags`. */
  tags: boolean;
  note?: string;
  frontMatter?: boolean;
  expectNewest?: parse.SeenVersion;
  commandId?: string;
  activate?: true | string;
  expectActive?: parse.SeenVersion;
  dryRun?: boolean;
  wait?: number;
};

/** `incipit add KEY FILE|-`: stores a new version. */
export function defineAdd({ command, withClient, misuse, io }: Host): void {
  command(
    "add",
    "store a new version; nothing changes for callers until it is activated. A setting that is left out is that of the newest version",
  )
    .argument("<key>")
    .argument("<file>", "the body, byte for byte; - is stdin")
    .addOption(new Option("--kind <kind>", "what the template is for").choices(KINDS))
    .addOption(new Option("--syntax <syntax>", "how the body is read").choices(SYNTAXES))
    .option("--contract <name>", "the contract it is written against")
    .addOption(
      new Option(
        "--on-error <what>",
        "what a failing render is to do; this release stores it, and always fails",
      ).choices(ON_ERROR),
    )
    .option(
      "--tag <tag>",
      "a tag, instead of those of the newest version; may be given several times",
      parse.collect,
    )
    .option("--no-tags", "take all tags away")
    .option("--note <text>", "why")
    .option(
      "--front-matter",
      "read settings from the front matter of the file, as import does; those it leaves out have their default",
    )
    .option("--expect-newest <version|none>", "refuse if another version is the newest", parse.seenVersion)
    .option("--command-id <id>", "makes a retry of this command safe, for ever")
    .option("--activate [label]", "put it live too (production)", labelOrDefault)
    .option(
      "--expect-active <version|none>",
      "with --activate: refuse if another version is active",
      parse.seenVersion,
    )
    .option(
      "--wait <duration>",
      "with --activate: wait so long for the renderers to serve it, and say how many do",
      parse.wait,
    )
    .option("--dry-run", "check, and store nothing")
    .action(async (key: string, file: string, options: Options) => {
      const input = await readText(io, file);
      if (!input.ok) return misuse(options, input.message);
      if (options.tag !== undefined && !options.tags)
        return misuse(options, "--tag and --no-tags contradict each other.");
      if (options.activate === undefined && (options.wait ?? options.expectActive) !== undefined)
        return misuse(options, "--wait and --expect-active are about going live: add --activate.");
      return withClient(options, async ({ client, json, print, refuse }) => {
        const known = parseKey(key);
        if (!known.ok) return refuse(known.problem);
        const parsed = options.frontMatter
          ? // What the file says of its kind, and what is the default, depends on the key, not on the file's name.
            parseTemplateFile(pathOfKey(key), input.text, file === "-" ? "stdin" : file)
          : ({ ok: true, value: { body: input.text } } as const);
        if (!parsed.ok) return refuse(parsed.problem);
        if (!json && !options.frontMatter && /^---\r?\n/.test(input.text))
          io.err("incipit: note: the front matter is stored as text; --front-matter reads it as settings.\n");
        const { body } = parsed.value;
        const { kind, syntax, contract, onError, tag, note, commandId, activate, dryRun, wait } = options;
        const result = await client.add(key, {
          ...("settings" in parsed.value ? parsed.value.settings : {}),
          body,
          ...(kind !== undefined && { kind }),
          ...(syntax !== undefined && { syntax }),
          ...(contract !== undefined && { contract }),
          ...(onError !== undefined && { onError }),
          ...(tag !== undefined && { tags: tag }),
          ...(!options.tags && { tags: [] }),
          ...(note !== undefined && { note }),
          expectNewest: parse.toExpectation(options.expectNewest),
          expectActive: parse.toExpectation(options.expectActive),
          commandId,
          activate,
          dryRun,
          wait,
        });
        if (!result.ok) {
          const before = "frontLines" in parsed.value ? (parsed.value.frontLines ?? 0) : 0;
          const problem = problemInFile(result.problem, (partial) => (partial === undefined ? before : 0));
          return refuse(problem, { name: file === "-" ? key : file, body: bodyInFile(body, before) });
        }
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
  return `${lines.join("\n")}\n${renderersLine(reply.renderers)}`;
}
