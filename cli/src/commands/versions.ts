import { unwrap } from "@incipit/client";
import type { VersionItem } from "@incipit/schema";
import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { formatTable, shorten } from "../text.ts";

type Options = CommonOptions & { limit: number; before?: number };

/** `incipit versions KEY`: what was stored, the newest first. */
export function defineVersions({ command, withClient }: Host): void {
  command("versions", "list the versions of a key, the newest first")
    .argument("<key>")
    .option("--limit <n>", "at most so many", parse.wholeNumber(1, 200), 50)
    .option("--before <version>", "only older ones", parse.version)
    .action((key: string, options: Options) =>
      withClient(options, async ({ client, print }) => {
        const { limit, before } = options;
        const reply = unwrap(await client.versions(key, { limit, before }));
        print(reply, () => {
          if (reply.items.length === 0) return "No version is stored.\n";
          const heading = ["VERSION", "LABELS", "CREATED", "AUTHOR", "BYTES", "HASH", "NOTE"];
          const more =
            reply.before === null ? "" : `More: incipit versions ${key} --before ${reply.before}\n`;
          return formatTable(heading, reply.items.map(row)) + more;
        });
      }),
    );
}

function row({ version, labels, created, actor, bytes, hash, note }: VersionItem): (string | number)[] {
  return [version, labels.join(" "), created, actor, bytes, hash.slice(0, 12), shorten(note, 60)];
}
