import { unwrap } from "@incipit/client";
import type { StatusReply } from "@incipit/schema";
import type { CommonOptions, Host } from "../host.ts";
import { count, formatFields, printable } from "../text.ts";

/** `incipit status`: how the registry stands. */
export function defineStatus({ command, withClient }: Host): void {
  command("status", "show the registry's log position, chain, counts, rejected messages and server").action(
    (options: CommonOptions) =>
      withClient(options, async ({ client, print }) => {
        const reply = unwrap(await client.status());
        print(reply, () => describe(reply));
      }),
  );
}

function describe(reply: StatusReply): string {
  const { counts, chain, rejected, server, newerThanUs } = reply;
  const lines = [
    formatFields([
      ["registry", reply.instance],
      ["stream", reply.stream],
      ["log position", `${reply.seq}${reply.lag === 0 ? "" : ` (${reply.lag} behind)`}`],
      ["chain", `${count(chain.index, "event")}, head ${chain.head}`],
      ["keys", counts.keys],
      ["versions", counts.versions],
      ["seeds", counts.seeds],
      ["activations", counts.activations],
      ["rejected", rejected.count],
      ["nats-server", server.version],
    ]),
  ];
  for (const item of rejected.latest)
    lines.push(`rejected: seq ${item.seq} on ${printable(item.subject)}: ${printable(item.reason)}\n`);
  if (newerThanUs !== null)
    lines.push(
      `The log holds ${printable(newerThanUs.type)} v${newerThanUs.v} at seq ${newerThanUs.seq}, which this release does not know: commands are refused until the registry is updated.\n`,
    );
  for (const warning of server.warnings) lines.push(`warning: ${printable(warning)}\n`);
  return lines.join("");
}
