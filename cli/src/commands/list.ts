import { Option } from "commander";
import { KINDS, type Kind, type ListItem } from "@incipit/schema";
import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { formatTable } from "../text.ts";

type Options = CommonOptions & {
  prefix?: string;
  tag?: string;
  kind?: Kind;
  contract?: string;
  label?: string;
};

/** `incipit list`: the keys, with their active and newest versions. */
export function defineList({ command, withClient }: Host): void {
  command("list", "list the keys, with their active and newest versions")
    .option("--prefix <text>", "only keys that begin so")
    .option("--tag <tag>", "only with this tag")
    .addOption(new Option("--kind <kind>", "only of this kind").choices(KINDS))
    .option("--contract <name>", "only those written against it")
    .option("--label <label>", "only with something active under it", parse.label)
    .action((options: Options) =>
      withClient(options, async ({ client, print }) => {
        const { prefix, tag, kind, contract, label } = options;
        const items: ListItem[] = [];
        for await (const item of client.listAll({ prefix, tag, kind, contract, label, limit: 200 }))
          items.push(item);
        print({ items }, () =>
          items.length === 0
            ? "No key.\n"
            : formatTable(["KEY", "KIND", "ACTIVE", "NEWEST", "LABELS", "TAGS"], items.map(row)),
        );
      }),
    );
}

function row({ key, kind, active, newest, seed, labels, tags }: ListItem): (string | number)[] {
  const others = Object.entries(labels).filter(([label]) => label !== "production");
  return [
    key,
    kind,
    active ?? (seed ? "seed" : "-"),
    newest ?? "-",
    others.map(([label, version]) => `${label}=${version}`).join(" "),
    tags.join(" "),
  ];
}
