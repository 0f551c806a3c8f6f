import type { LogEntry } from "@incipit/client";
import type { PromptEvent } from "@incipit/events";
import * as parse from "../arguments.ts";
import { createChainReport, formatReport } from "../chain-report.ts";
import type { CommonOptions, Host } from "../host.ts";
import { EXIT } from "../io.ts";
import { printable, shorten } from "../text.ts";

type Options = CommonOptions & { from: number; follow?: boolean };

/** `incipit log`: the log itself, verified message by message. */
export function defineLog({ command, withClient, io }: Host): void {
  command("log", "print the log from the stream itself and verify its chain; exit 1 if it is broken")
    .option("--from <seq>", "the first position to print", parse.wholeNumber(1, Number.MAX_SAFE_INTEGER), 1)
    .option("--follow", "go on with what is written from now on")
    .action((options: Options) =>
      withClient(options, async ({ client, json }) => {
        const report = createChainReport();
        const { from, follow = false } = options;
        // Read from the start whatever `from` says: the chain has no other beginning.
        for await (const entry of client.log({ follow, signal: io.ended })) {
          report.take(entry);
          if (entry.record.seq >= from) io.out(`${json ? JSON.stringify(toJson(entry)) : describe(entry)}\n`);
        }
        const summary = report.summarise();
        if (json) io.out(`${JSON.stringify(summary)}\n`);
        else io.out(formatReport(summary));
        return summary.unbroken ? EXIT.done : EXIT.refused;
      }),
    );
}

function toJson({ record, admission, chain }: LogEntry): object {
  const { seq, subject } = record;
  if (admission.status === "rejected") return { seq, subject, rejected: admission.reason };
  const { envelope } = admission;
  return { seq, subject, ...(admission.status === "newer" && { newer: true }), envelope, chain: chain.head };
}

/** One message on one line: position, time, actor, what happened. */
function describe({ record, admission }: LogEntry): string {
  const seq = String(record.seq).padStart(5);
  if (admission.status === "rejected")
    return `${seq}  REJECTED on ${printable(record.subject)}: ${printable(admission.reason)}`;
  const { at, actor, type, v } = admission.envelope;
  const what =
    admission.status === "newer" ? `${printable(type)} v${v} (of a later release)` : say(admission.event);
  return `${seq}  ${at}  ${actor}  ${what}`;
}

function say(event: PromptEvent): string {
  const note = event.data.note === "" ? "" : `  "${printable(shorten(event.data.note, 60))}"`;
  switch (event.type) {
    case "TemplateAdded": {
      const { key, version, hash } = event.data;
      return `TemplateAdded       ${key}@${version}${version === 0 ? " (seed)" : ""} ${hash.slice(0, 12)}${note}`;
    }
    case "TemplateActivated": {
      const { key, version, label, previous } = event.data;
      return `TemplateActivated   ${key}@${version} ${label} (was ${previous ?? "nothing"})${note}`;
    }
    case "TemplateDeactivated":
      return `TemplateDeactivated ${event.data.key} ${event.data.label} (was ${event.data.previous})${note}`;
    case "ContractPublished":
      return `ContractPublished   ${event.data.name} version ${event.data.version}${note}`;
  }
}
