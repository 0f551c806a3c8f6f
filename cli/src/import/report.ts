import type { CommandRun } from "../host.ts";
import type { ExitCode } from "../io.ts";
import { count, printable } from "../text.ts";
import type { Foreseen } from "./dry-run.ts";
import type { ImportFile } from "./plan.ts";
import { refuseFiles } from "./refused-files.ts";
import type { Sent } from "./send.ts";

/** What an import was to do. */
type Planned = {
  /** Not sent, since it is stored. */
  same: readonly ImportFile[];
  /** Paths that are no templates. */
  ignored: readonly string[];
  /** How many files were to be sent. */
  count: number;
};

/** Says what an import did. */
export function report(
  run: CommandRun,
  sent: readonly Sent[],
  { same, ignored, count: planned }: Planned,
): ExitCode {
  const of = (outcome: Sent["outcome"]) => sent.filter((one) => one.outcome === outcome);
  const refusals = sent.flatMap((one) => (one.outcome === "refused" ? [one] : []));
  const created = of("created");
  const activated = of("activated");
  const skipped = [...of("unchanged").map(({ file }) => file), ...same];
  const unsent = planned - sent.length;
  // That of something unchanged would be where it was stored once, and be taken for where the log is now.
  const seq = Math.max(0, ...[...created, ...activated].map((one) => ("reply" in one ? one.reply.seq : 0)));
  run.print(
    {
      created: created.map(({ file }) => file.file.key).toSorted(),
      activated: activated.map(({ file }) => file.file.key).toSorted(),
      skipped: skipped.map(({ file }) => file.key).toSorted(),
      refused: refusals.map(({ file, problem }) => ({ path: file.path, error: problem })),
      unsent,
      ignored,
      ...(seq > 0 && { seq }),
    },
    () => {
      const rest = activated.length === 0 ? "" : `, ${activated.length} activated only`;
      const left = unsent === 0 ? "" : `, ${unsent} not sent`;
      return `${created.length} created, ${skipped.length} skipped (unchanged)${rest}, ${refusals.length} refused${left}${seq === 0 ? "" : `, seq ${seq}`}\n`;
    },
  );
  return refuseEach(run, refusals);
}

/** Says what an import would do; the arguments are as above. */
export function reportForeseen(
  run: CommandRun,
  foreseen: readonly Foreseen[],
  { same, ignored, count: planned }: Planned,
): ExitCode {
  const of = (outcome: Foreseen["outcome"]) =>
    foreseen
      .filter((one) => one.outcome === outcome)
      .map(({ file }) => file.file.key)
      .toSorted();
  const refusals = foreseen.flatMap((one) => (one.outcome === "refused" ? [one] : []));
  const created = of("created");
  const activated = of("activated");
  const skipped = [...of("unchanged"), ...same.map(({ file }) => file.key)].toSorted();
  const unasked = foreseen.filter(({ isAsked }) => !isAsked).map(({ file }) => file.file.key);
  const left = planned - foreseen.length;
  run.print(
    {
      dryRun: true,
      created,
      activated,
      skipped,
      refused: refusals.map(({ file, problem }) => ({ path: file.path, error: problem })),
      unasked: unasked.toSorted(),
      unsent: left,
      ignored,
    },
    () =>
      [
        ...created.map((key) => `would be created: ${printable(key)}\n`),
        ...activated.map((key) => `would be activated: ${printable(key)}\n`),
        `${created.length} would be created, ${skipped.length} skipped (unchanged)`,
        activated.length === 0 ? "" : `, ${activated.length} activated only`,
        `, ${refusals.length} refused`,
        left === 0 ? "" : `, ${left} not looked at`,
        "; nothing was stored\n",
        unasked.length === 0
          ? ""
          : `${unasked.length} of them checked here alone but for their settings: they include what is not stored yet\n`,
      ].join(""),
  );
  return refuseEach(run, refusals);
}

/** What is refused while sending is named after what was done. */
function refuseEach(run: CommandRun, refusals: readonly (Sent & { outcome: "refused" })[]): ExitCode {
  const refused = refusals.map(({ file: { path, file }, problem }) => ({ path, problem, body: file.body }));
  return refuseFiles(run, refused, `${count(refused.length, "file")} refused.`);
}
