import { unwrap } from "@incipit/client";
import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";

type Options = CommonOptions & { label?: string; note?: string; commandId?: string };

/** `incipit deactivate KEY`: takes a label away. */
export function defineDeactivate({ command, withClient }: Host): void {
  command("deactivate", "take a version off live: the seed answers again, or nothing does")
    .argument("<key>")
    .option("--label <label>", "the pointer to take away (production)", parse.label)
    .option("--note <text>", "why")
    .option("--command-id <id>", "makes a retry of this command safe, for ever")
    .action((key: string, options: Options) =>
      withClient(options, async ({ client, print }) => {
        const { label, note, commandId } = options;
        const reply = unwrap(await client.deactivate(key, { label, note, commandId }));
        print(reply, () => {
          const serves = reply.nowServes === 0 ? "the seed answers now" : "nothing answers now";
          return reply.changed
            ? `${reply.key} deactivated under ${reply.label} (was: ${reply.previous}), ${serves}, seq ${reply.seq}\n`
            : `${reply.key} was not active under ${reply.label}, ${serves}\n`;
        });
      }),
    );
}
