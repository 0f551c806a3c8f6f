import type { GetReply } from "@incipit/schema";
import type { CommonOptions, Host } from "../host.ts";
import { EXIT } from "../io.ts";
import { askedFor } from "../stored-source.ts";
import { formatFields, printable } from "../text.ts";

type Options = CommonOptions & { source?: boolean };

/** `incipit show REF`: one version, with its settings and where it came from. */
export function defineShow({ command, withClient }: Host): void {
  command("show", "show a version: its settings, who wrote it when, its body")
    .argument("<ref>", "KEY (what a render gets), KEY@3 or KEY@staging")
    .option("--source", "print the body alone, byte for byte")
    .action((ref: string, options: Options) =>
      withClient(options, async ({ client, io, print, refuseStored }) => {
        const result = await client.get(ref);
        if (!result.ok) return refuseStored(result.problem, askedFor(ref));
        const reply = result.value;
        if (options.source) io.out(reply.body);
        else print(reply, () => describe(reply));
        return EXIT.done;
      }),
    );
}

function describe(reply: GetReply): string {
  const fields: [string, string | number][] = [
    ["key", reply.key],
    ["version", reply.version === 0 ? "0 (seed)" : reply.version],
    ["labels", reply.labels.join(" ") || "-"],
    ["kind", reply.kind],
    ["syntax", reply.syntax],
    ["contract", reply.contract ?? "-"],
    ["on error", reply.onError],
    ["tags", reply.tags.join(" ") || "-"],
    ["config", reply.config === null ? "-" : JSON.stringify(reply.config)],
    ["note", reply.note || "-"],
    ["author", reply.actor],
    ["created", reply.created],
    ["hash", reply.hash],
    ["seq", reply.seq],
  ];
  const lines = reply.body.replace(/\r?\n$/, "").split(/\r?\n/);
  return `${formatFields(fields)}\n${lines.map((line) => `${printable(line)}\n`).join("")}`;
}
