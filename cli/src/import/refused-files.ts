import { problem, type Problem } from "@incipit/schema";
import type { CommandRun } from "../host.ts";
import { EXIT, type ExitCode } from "../io.ts";
import { exitCodeOf } from "../problem-text.ts";
import type { Refusal } from "./plan.ts";

/**
 * Prints the refusal of files, each by name, and gives the exit code for them; 0 where there are none. With `--json` it is one
 * error like any other, of their code (`bad_request` where they have several), which lists them in `refused`.
 */
export function refuseFiles(run: CommandRun, refused: readonly Refusal[], message: string): ExitCode {
  const [first] = refused;
  if (first === undefined) return EXIT.done;
  const outage = refused.find(({ problem: one }) => exitCodeOf(one) === EXIT.unreachable)?.problem;
  if (run.json) {
    const isOneCode = refused.every(({ problem: one }) => one.code === first.problem.code);
    const code = outage?.code ?? (isOneCode ? first.problem.code : "bad_request");
    const all: Problem & { refused: { path: string; error: Problem }[] } = {
      ...problem(code, message),
      refused: refused.map(({ path, problem: error }) => ({ path, error })),
    };
    return run.refuse(all);
  }
  for (const { path, problem: one, body } of refused) {
    // With findings, each is shown with its file.
    const isNamed = one.findings !== undefined || one.message.includes(path);
    run.refuse(
      isNamed ? one : { ...one, message: `${path}: ${one.message}` },
      body === undefined ? undefined : { name: path, body },
    );
  }
  return outage === undefined ? EXIT.refused : EXIT.unreachable;
}
