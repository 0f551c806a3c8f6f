import { unwrap } from "@incipit/client";
import { DEFAULT_LABEL } from "@incipit/schema";
import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { renderersLine } from "../renderers-text.ts";

type Options = CommonOptions & { label?: string; note?: string; commandId?: string; wait?: number };

/** `incipit deactivate KEY`: takes a label away. */
export function defineDeactivate({ command, withClient }: Host): void {
  command("deactivate", "take a version off live: the seed answers again, or nothing does")
    .argument("<key>")
    .option("--label <label>", "the pointer to take away (production)", parse.label)
    .option("--note <text>", "why")
    .option("--command-id <id>", "makes a retry of this command safe, for ever")
    .option(
      "--wait <duration>",
      "wait so long for the renderers to serve it, and say how many do (2s)",
      parse.wait,
    )
    .action((key: string, options: Options) =>
      withClient(options, async ({ client, print }) => {
        const { label, note, commandId, wait } = options;
        const reply = unwrap(await client.deactivate(key, { label, note, commandId, wait }));
        print(reply, () => {
          // Only production falls back to a seed, and is what answers where no label is asked for.
          const where = reply.label === DEFAULT_LABEL ? "" : ` under ${reply.label}`;
          const serves = reply.nowServes === 0 ? "the seed answers" : `nothing answers${where}`;
          const done = reply.changed
            ? `${reply.key} deactivated under ${reply.label} (was: ${reply.previous}), ${serves} now, seq ${reply.seq}\n`
            : `${reply.key} was not active under ${reply.label}: nothing changed, ${serves}\n`;
          return done + renderersLine(reply.renderers);
        });
      }),
    );
}
