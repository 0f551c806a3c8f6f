import { userInfo } from "node:os";
import { createClient, DEFAULT_SERVERS, IncipitError, type Client } from "@incipit/client";
import { problem, type Problem } from "@incipit/schema";
import type { Command } from "commander";
import { actor, duration, toActor } from "./arguments.ts";
import { EXIT, type ExitCode, type Io } from "./io.ts";
import { exitCodeOf, formatProblem, type Background, type Source } from "./problem-text.ts";
import { findSources, type Asked } from "./stored-source.ts";

/** The options that every command has. */
export type CommonOptions = {
  json?: boolean;
  server?: string;
  creds?: string;
  actor?: string;
  timeout?: number;
};

/** One run of a command: what it works with. */
export type CommandRun = {
  client: Client;
  io: Io;
  json: boolean;
  /** Who acts. */
  actor: string;
  /** Prints a value: as JSON with `--json`, else as the text given. */
  print: (value: unknown, text: () => string) => void;
  /** Prints a refusal and gives the exit code for it. */
  refuse: (problem: Problem, source?: Source, background?: Background) => ExitCode;
  /** The same for a refusal about something stored: its source lines are fetched for a person to read. */
  refuseStored: (problem: Problem, asked: Asked) => Promise<ExitCode>;
  /** Says that the command line asks for what cannot be, and gives the exit code for it. */
  misuse: (message: string) => ExitCode;
};

/** Defines commands and runs them. */
export type Host = {
  io: Io;
  /** A new command with the options that every command has; a local one talks to no server, and has `--json` alone. */
  command: (nameAndArguments: string, description: string, kind?: "local") => Command;
  /** A command that holds others: they are defined on the host that it gives. */
  group: (name: string, description: string) => Host;
  /** Connects, works, disconnects; the outcome becomes the exit code. */
  withClient: (options: CommonOptions, work: (run: CommandRun) => Promise<ExitCode | void>) => Promise<void>;
  /** Works without a connection. */
  withoutClient: (
    options: CommonOptions,
    work: (run: Pick<CommandRun, "print" | "refuse">) => Promise<ExitCode>,
  ) => Promise<void>;
  /** Says that the command line asks for what cannot be: the run ends so. */
  misuse: (options: CommonOptions, message: string) => void;
};

/** Builds the host of a program's commands. `setExit` gets what the process is to end with. */
export function createHost(program: Command, io: Io, setExit: (code: ExitCode) => void): Host {
  return {
    io,
    command(nameAndArguments, description, kind) {
      const command = program
        .command(nameAndArguments)
        .description(description)
        .option("--json", "print JSON");
      if (kind === "local") return command;
      return command
        .option("--server <urls>", `where NATS is (NATS_URL, else ${DEFAULT_SERVERS})`)
        .option("--creds <file>", "credentials file (NATS_CREDS)")
        .option("--actor <name>", "who acts (INCIPIT_ACTOR, else the name of this account)", actor)
        .option("--timeout <duration>", "how long a request may take, such as 500ms or 5s (5s)", duration);
    },
    group: (name, description) =>
      createHost(program.command(name).description(description).usage("<command> [options]"), io, setExit),
    async withClient(options, work) {
      setExit(await runWithClient(io, options, work));
    },
    async withoutClient(options, work) {
      setExit(await work(createOutput(io, options)));
    },
    misuse: (options, message) => setExit(sayMisuse(io, options.json ?? false, message)),
  };
}

async function runWithClient(
  io: Io,
  options: CommonOptions,
  work: (run: CommandRun) => Promise<ExitCode | void>,
): Promise<ExitCode> {
  const { json, print, refuse } = createOutput(io, options);
  const who = options.actor ?? io.env.INCIPIT_ACTOR ?? toActor(userInfo().username);
  let client: Client;
  try {
    client = await createClient({ ...connectionFrom(options, io), actor: who });
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error;
    if (error.code === "bad_request") return sayMisuse(io, json, error.message);
    const isNobodyThere = error.message.includes("nothing listens there");
    return refuse(error.problem, undefined, isNobodyThere ? { hint: "`incipit up` starts one." } : {});
  }
  const refuseStored: CommandRun["refuseStored"] = async (refusal, asked) => {
    if (json) return refuse(refusal);
    const { source, partials } = await findSources(client, refusal, asked);
    return refuse(refusal, source, { partials, label: asked.label });
  };
  const misuse: CommandRun["misuse"] = (message) => sayMisuse(io, json, message);
  try {
    return (await work({ client, io, json, actor: who, print, refuse, refuseStored, misuse })) ?? EXIT.done;
  } catch (error) {
    if (error instanceof IncipitError) return refuse(error.problem);
    throw error;
  } finally {
    await client.close();
  }
}

/** How a run prints: JSON, or what a person reads. */
function createOutput(io: Io, options: CommonOptions): Pick<CommandRun, "json" | "print" | "refuse"> {
  const json = options.json ?? false;
  return {
    json,
    print: (value, text) => io.out(json ? `${JSON.stringify(value, null, 2)}\n` : text()),
    refuse(refusal, source, background) {
      io.err(json ? formatError(refusal) : formatProblem(refusal, source, background));
      return exitCodeOf(refusal);
    },
  };
}

/** A refusal as `--json` has it: one line. */
export function formatError(refusal: Problem): string {
  return `${JSON.stringify({ error: refusal })}\n`;
}

function sayMisuse(io: Io, json: boolean, message: string): ExitCode {
  io.err(json ? formatError(problem("bad_request", message)) : `incipit: ${message}\n`);
  return EXIT.usage;
}

function connectionFrom({ server, creds, timeout }: CommonOptions, { env }: Io) {
  const credsFile = creds ?? env.NATS_CREDS;
  return {
    name: "incipit-cli",
    servers: server ?? env.NATS_URL ?? DEFAULT_SERVERS,
    ...(credsFile !== undefined && { credsFile }),
    ...(env.NATS_USER !== undefined && credsFile === undefined && { user: env.NATS_USER }),
    ...(env.NATS_PASSWORD !== undefined && credsFile === undefined && { password: env.NATS_PASSWORD }),
    ...(env.NATS_NKEY_SEED !== undefined && credsFile === undefined && { nkeySeed: env.NATS_NKEY_SEED }),
    ...(env.NATS_CA !== undefined && { caFile: env.NATS_CA }),
    ...(env.INCIPIT_PREFIX !== undefined && { prefix: env.INCIPIT_PREFIX }),
    ...(env.INCIPIT_STREAM !== undefined && { stream: env.INCIPIT_STREAM }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
  };
}
