import { unwrap } from "@incipit/client";
import type { ActivationItem } from "@incipit/schema";
import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { formatTable, shorten } from "../text.ts";

type Options = CommonOptions & { label?: string; limit: number; before?: number };

/** `incipit history KEY`: who moved which pointer, from what, to what, when and why. */
export function defineHistory({ command, withClient }: Host): void {
  command("history", "show who put what live when and why, the newest first")
    .argument("<key>")
    .option("--label <label>", "only moves of this pointer", parse.label)
    .option("--limit <n>", "at most so many", parse.wholeNumber(1, 200), 50)
    .option(
      "--before <seq>",
      "only moves before this log position",
      parse.wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .action((key: string, options: Options) =>
      withClient(options, async ({ client, print }) => {
        const { label, limit, before } = options;
        const reply = unwrap(await client.activations(key, { label, limit, before }));
        print(reply, () => {
          if (reply.items.length === 0) return "Nothing was ever active.\n";
          const heading = ["SEQ", "AT", "ACTOR", "LABEL", "FROM", "TO", "NOTE"];
          const more = reply.before === null ? "" : `More: incipit history ${key} --before ${reply.before}\n`;
          return formatTable(heading, reply.items.map(row)) + more;
        });
      }),
    );
}

function row({ seq, at, actor, label, previous, version, note }: ActivationItem): (string | number)[] {
  return [seq, at, actor, label, previous ?? "-", version ?? "-", shorten(note, 60)];
}
