import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A service to start as a process of its own. */
export type ServiceOptions = {
  /** What messages call it. */
  name: string;
  /** The package and entry that is run, such as `@incipit/registry/main`. */
  main: string;
  logFile: string;
  env: Readonly<Record<string, string>>;
  /** Processes it takes along if this one is killed. */
  companions: readonly number[];
};

/** A running service. */
export type Service = {
  name: string;
  pid: number;
  logFile: string;
  /** Settles with how the process ended. */
  ended: Promise<string>;
  isRunning: () => boolean;
  /** Asks it to stop and waits; ends it by force where 12 s do not suffice. */
  stop: () => Promise<void>;
};

/** A service's own stop takes 10 s at most. */
const STOP_MS = 12_000;

/** Starts a service. It stands in a process group of its own, so that Ctrl-C reaches it through `up` alone, in order. */
export function startService({ name, main, logFile, env, companions }: ServiceOptions): Service {
  const log = openSync(logFile, "a", 0o600);
  const guard = new URL("./guard.js", import.meta.url).href;
  const child = spawn(process.execPath, ["--import", guard, fileURLToPath(import.meta.resolve(main))], {
    env: { ...env },
    stdio: ["ignore", log, log, "ipc"],
    detached: true,
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) =>
      resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
  });
  child.send([...companions], () => {});
  // If this process ends without having stopped it, the guard does.
  child.channel?.unref();
  return {
    name,
    pid: child.pid ?? 0,
    logFile,
    ended,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The last lines of a log file; empty where it cannot be read. */
export async function readTail(file: string, lines = 10): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-lines).join("\n");
}
