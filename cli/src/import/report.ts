import type { CommandRun } from "../host.ts";
import { EXIT, type ExitCode } from "../io.ts";
import { printable } from "../text.ts";
import type { Foreseen } from "./dry-run.ts";
import type { ImportFile } from "./plan.ts";
import type { Sent } from "./send.ts";

/** Says what an import did; `same` was not sent since it is stored, `planned` is how many were to be sent. */
export function report(
  run: CommandRun,
  sent: readonly Sent[],
  same: readonly ImportFile[],
  planned: number,
): ExitCode {
  const of = (outcome: Sent["outcome"]) => sent.filter((one) => one.outcome === outcome);
  const refusals = sent.flatMap((one) => (one.outcome === "refused" ? [one] : []));
  const created = of("created");
  const activated = of("activated");
  const skipped = [...of("unchanged").map(({ file }) => file), ...same];
  const unsent = planned - sent.length;
  const seq = Math.max(0, ...sent.map((one) => (one.outcome === "refused" ? 0 : one.reply.seq)));
  run.print(
    {
      created: created.map(({ file }) => file.file.key).toSorted(),
      activated: activated.map(({ file }) => file.file.key).toSorted(),
      skipped: skipped.map(({ file }) => file.key).toSorted(),
      refused: refusals.map(({ file, problem }) => ({ path: file.path, error: problem })),
      unsent,
      seq,
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
  same: readonly ImportFile[],
  planned: number,
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

function refuseEach(run: CommandRun, refusals: readonly (Sent & { outcome: "refused" })[]): ExitCode {
  let code: ExitCode = EXIT.done;
  for (const { file, problem } of refusals) {
    const isPlaced = problem.line !== undefined || (problem.findings ?? []).length > 0;
    const named = isPlaced ? problem : { ...problem, message: `${file.path}: ${problem.message}` };
    code = run.refuse(named, { name: file.path, body: file.file.body });
  }
  return code;
}
