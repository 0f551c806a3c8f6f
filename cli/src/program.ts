import { readFileSync } from "node:fs";
import { problem } from "@incipit/schema";
import { Command, CommanderError } from "commander";
import { defineActivate } from "./commands/activate.ts";
import { defineAdd } from "./commands/add.ts";
import { defineCheck } from "./commands/check.ts";
import { defineContract } from "./commands/contract.ts";
import { defineDeactivate } from "./commands/deactivate.ts";
import { defineExport } from "./commands/export.ts";
import { defineHistory } from "./commands/history.ts";
import { defineImport } from "./commands/import.ts";
import { defineList } from "./commands/list.ts";
import { defineLog } from "./commands/log.ts";
import { defineRender } from "./commands/render.ts";
import { defineShow } from "./commands/show.ts";
import { defineStatus } from "./commands/status.ts";
import { defineUp } from "./commands/up.ts";
import { defineVersions } from "./commands/versions.ts";
import { createHost, formatError, type Host } from "./host.ts";
import { EXIT, type ExitCode, type Io } from "./io.ts";

/** Every command, in the order of the help. */
const DEFINITIONS: readonly ((host: Host) => void)[] = [
  defineUp,
  defineAdd,
  defineActivate,
  defineDeactivate,
  defineList,
  defineShow,
  defineVersions,
  defineHistory,
  defineRender,
  defineCheck,
  defineContract,
  defineImport,
  defineExport,
  defineLog,
  defineStatus,
];

const EXPLANATION = `
Exit codes: 0 done, 1 refused (the reason is on stderr), 2 wrong usage, 3 unreachable.
Environment: NATS_URL, NATS_CREDS | NATS_USER and NATS_PASSWORD | NATS_NKEY_SEED, NATS_CA, INCIPIT_ACTOR,
INCIPIT_PREFIX, INCIPIT_STREAM, NATS_SERVER_BIN (for up).`;

/** Runs one command line (without node and script) and gives the exit code. A bug is an exception. */
export async function runProgram(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  // Before the command line is understood, and also where it cannot be.
  const json = argv.includes("--json");
  const program = new Command("incipit")
    .description("An event-sourced prompt registry on a message bus.")
    .version(readVersion(), "--version", "print the version of this release")
    .usage("<command> [options]")
    .showSuggestionAfterError()
    .showHelpAfterError("(incipit COMMAND --help says more)")
    // `contract show --version 2` is that command's own.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: json ? () => {} : io.err })
    .addHelpText("after", EXPLANATION);
  const host = createHost(program, io, (code) => (exit = code));
  for (const define of DEFINITIONS) define(host);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    if (json) io.err(formatError(problem("bad_request", error.message.replace(/^error: /, ""))));
    return EXIT.usage;
  }
  return exit;
}

/** The version in this package's manifest. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}
