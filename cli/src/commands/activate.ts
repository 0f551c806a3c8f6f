import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { EXIT } from "../io.ts";

type Options = CommonOptions & {
  label?: string;
  note?: string;
  expectActive?: parse.SeenVersion;
  commandId?: string;
  dryRun?: boolean;
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
    .option("--dry-run", "check, and change nothing")
    .action((key: string, version: number, options: Options) =>
      withClient(options, async ({ client, print, refuseStored }) => {
        const { label, note, expectActive, commandId, dryRun } = options;
        const result = await client.activate(key, {
          version,
          label,
          note,
          expectActive: parse.toExpectation(expectActive),
          commandId,
          dryRun,
        });
        if (!result.ok) return refuseStored(result.problem, { key, version, label });
        const reply = result.value;
        print(reply, () => {
          const from = reply.previous === null ? "nothing" : `${reply.previous}`;
          const done = reply.dryRun ? "would be activated" : "activated";
          const what = reply.changed
            ? `${done} under ${reply.label} (was: ${from}), seq ${reply.seq}`
            : `is active under ${reply.label} already, seq ${reply.seq}`;
          return `${[`${reply.key}@${reply.version} ${what}`, ...reply.warnings.map((w) => `warning: ${w}`)].join("\n")}\n`;
        });
        return EXIT.done;
      }),
    );
}
