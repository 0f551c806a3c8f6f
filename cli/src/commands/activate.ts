import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { EXIT } from "../io.ts";
import { renderersLine } from "../renderers-text.ts";

type Options = CommonOptions & {
  label?: string;
  note?: string;
  expectActive?: parse.SeenVersion;
  commandId?: string;
  dryRun?: boolean;
  wait?: number;
};

/** `incipit activate KEY VERSION`: points a label at a stored version. */
export function defineActivate({ command, withClient }: Host): void {
  command("activate", "put a version live (an older one: a rollback)")
    .argument("<key>")
    .argument("<version>", "the version; 0 is the seed", parse.version)
    .option("--label <label>", "the pointer to move (production)", parse.label)
    .option("--note <text>", "why")
    .option("--expect-active <version|none>", "refuse if another version is active", parse.seenVersion)
    .option("--command-id <id>", "makes a retry of this command safe, for ever")
    .option(
      "--wait <duration>",
      "wait so long for the renderers to serve it, and say how many do (2s)",
      parse.wait,
    )
    .option("--dry-run", "check, and change nothing")
    .action((key: string, version: number, options: Options) =>
      withClient(options, async ({ client, print, refuseStored }) => {
        const { label, note, expectActive, commandId, dryRun, wait } = options;
        const result = await client.activate(key, {
          version,
          label,
          note,
          expectActive: parse.toExpectation(expectActive),
          commandId,
          dryRun,
          wait,
        });
        if (!result.ok) return refuseStored(result.problem, { key, version, label });
        const reply = result.value;
        print(reply, () => {
          const from = reply.previous === null ? "nothing" : `${reply.previous}`;
          const done = reply.dryRun ? "would be activated" : "activated";
          const what = reply.changed
            ? `${done} under ${reply.label} (was: ${from}), seq ${reply.seq}`
            : `is active under ${reply.label} already, seq ${reply.seq}`;
          const lines = [
            `${reply.key}@${reply.version} ${what}`,
            ...reply.warnings.map((w) => `warning: ${w}`),
          ];
          return `${lines.join("\n")}\n${renderersLine(reply.renderers)}`;
        });
        return EXIT.done;
      }),
    );
}
