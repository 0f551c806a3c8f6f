import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import * as parse from "../arguments.ts";
import type { CommonOptions, Host } from "../host.ts";
import { reasonOf } from "../input.ts";
import { EXIT, type ExitCode, type Io } from "../io.ts";
import { lockFolder } from "../up/lock.ts";
import { startStack, type Stack } from "../up/stack.ts";
import { readWarnings } from "../up/warnings.ts";
import { printable } from "../text.ts";

type Options = CommonOptions & { port: number; data: string; renderers: number };

/** `incipit up`: everything on this machine, until it is ended. */
export function defineUp({ command, withoutClient, io }: Host): void {
  command("up", "run all of it here: a nats-server, a registry, renderers; Ctrl-C ends all", "local")
    .option(
      "--port <n>",
      "NATS port on 127.0.0.1; where it is taken, a free one",
      parse.wholeNumber(0, 65_535),
      4222,
    )
    .option("--data <dir>", "folder for the log, the database and the log files", "./.incipit")
    .option("--renderers <n>", "how many renderers", parse.wholeNumber(1, 32), 1)
    .action((options: Options) => withoutClient(options, () => run(io, options)));
}

async function run(io: Io, { port, data, renderers, json }: Options): Promise<ExitCode> {
  const folder = resolve(data);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    io.err(`incipit: ${folder} cannot be made: ${reasonOf(error)}.\n`);
    return EXIT.usage;
  }
  const locked = await lockFolder(folder);
  if (!locked.ok) {
    const who = locked.holder === null ? "another incipit up" : `the incipit up of process ${locked.holder}`;
    io.err(
      `incipit: ${folder} is in use by ${who}. End that one, or give this one another folder: --data DIR.\n`,
    );
    return EXIT.refused;
  }
  try {
    const stack = await start(io, { port, data: folder, renderers });
    if (stack === null) return io.ended.aborted ? EXIT.done : EXIT.refused;
    try {
      io.out(json ? `${JSON.stringify(describe(stack))}\n` : `incipit ready ${stack.url}\n`);
      for (const warning of await readWarnings(io, stack.url))
        io.err(`incipit: warning: ${printable(warning)}\n`);
      // Ctrl-C may reach the server too: that it ends then is no fault.
      const broken = await Promise.race([whenAborted(io.ended), stack.broken]);
      if (broken !== null) io.err(`incipit: ${broken}. Ending everything.\n`);
      return broken === null ? EXIT.done : EXIT.refused;
    } finally {
      await stack.stop();
      io.err("incipit: everything has ended.\n");
    }
  } finally {
    await locked.lock.release();
  }
}

async function start(
  io: Io,
  options: { port: number; data: string; renderers: number },
): Promise<Stack | null> {
  try {
    return await startStack({ ...options, io });
  } catch (error) {
    if (!io.ended.aborted) io.err(`incipit: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

const describe = ({ url, nats, services }: Stack) => ({
  ready: url,
  natsServer: { version: nats.version, pid: nats.pid, log: nats.logFile },
  services: services.map(({ name, pid, logFile }) => ({ name, pid, log: logFile })),
});

function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((done) => {
    if (signal.aborted) done(null);
    else signal.addEventListener("abort", () => done(null), { once: true });
  });
}
