import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** A line of a service's log: pino's JSON. */
export type LogLine = { level: number; msg: string } & Record<string, unknown>;

/** A child process of a test, ended by pid at the latest when the test run ends. */
export type TestProcess = {
  pid: number;
  /** Everything logged so far. */
  lines: readonly LogLine[];
  /** What it printed that is no log line, such as a crash. */
  noise: readonly string[];
  /** Settles with the first line, past or future, that fits; rejects if the process ends first. */
  line: (fits: (line: LogLine) => boolean) => Promise<LogLine>;
  /** Exit code and signal, once it has ended. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a signal and waits for the end. */
  end: (signal?: NodeJS.Signals) => Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a built file with this Node. `env` replaces the environment, but for PATH. */
export function startNode(file: string, args: readonly string[], env: Record<string, string>): TestProcess {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const lines: LogLine[] = [];
  const noise: string[] = [];
  const watchers = new Set<(line: LogLine) => void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (text) => {
      const line = parseLine(text);
      if (line === null) noise.push(text);
      else {
        lines.push(line);
        for (const watcher of watchers) watcher(line);
      }
    });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? 0,
    lines,
    noise,
    exited,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const seen = lines.find(fits);
        if (seen !== undefined) return resolve(seen);
        const watcher = (line: LogLine) => {
          if (!fits(line)) return;
          watchers.delete(watcher);
          resolve(line);
        };
        watchers.add(watcher);
        void exited.then(({ code, signal }) => {
          const tail = [...lines.slice(-5).map((line) => JSON.stringify(line)), ...noise.slice(-20)].join(
            "\n",
          );
          reject(
            new Error(`${file} ended (${code ?? signal}) before the expected line was logged:\n${tail}`),
          );
        });
      }),
    end: async (signal = "SIGTERM") => {
      child.kill(signal);
      return await exited;
    },
  };
}

function parseLine(text: string): LogLine | null {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null && "msg" in line && "level" in line
      ? (line as LogLine)
      : null;
  } catch {
    return null;
  }
}
