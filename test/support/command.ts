import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const incipit = path.join(root, "cli/bin/incipit.js");

/** What a command line came to. */
export type Outcome = { code: number | null; stdout: string; stderr: string };

/** Runs the real, built `incipit` from the project's root and waits for its end. Output is read byte for byte. */
export function runIncipit(
  args: readonly string[],
  { env = {}, stdin = "" }: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [incipit, ...args], {
      cwd: root,
      env: { PATH: process.env["PATH"] ?? "", INCIPIT_ACTOR: "alice", ...env },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.stdin.on("error", () => {}); // it ended without reading
    child.stdin.end(stdin);
    child.once("close", (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

/** A running `incipit` of which one wants to see what it prints meanwhile. */
export type Session = {
  stdout: () => string;
  signal: (signal: NodeJS.Signals) => void;
  exited: Promise<number | null>;
};

/** Starts the real, built `incipit`. It ends with this process, whatever happens. */
export function startIncipit(args: readonly string[], env: Record<string, string>): Session {
  const child = spawn(process.execPath, [incipit, ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let stdout = "";
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  return {
    stdout: () => stdout,
    signal: (signal) => void child.kill(signal),
    exited: new Promise((resolve) => child.once("close", resolve)),
  };
}

/** A running `incipit up`. */
export type Up = {
  url: string;
  pid: number;
  natsPid: number;
  /** Of the services, registry first. */
  servicePids: number[];
  stderr: () => string;
  /** What Ctrl-C in a terminal does: SIGINT to `up` and everything in its process group. */
  interrupt: () => void;
  /** Sends a signal to `up` itself. */
  signal: (signal: NodeJS.Signals) => void;
  /** How it ended. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

type Ready = { ready: string; natsServer: { pid: number }; services: { pid: number }[] };

/** Starts `incipit up` and waits until it says that all is ready. It ends with this process, whatever happens. */
export async function startUp(args: readonly string[], env: Record<string, string> = {}): Promise<Up> {
  const child = spawn(process.execPath, [incipit, "up", "--json", ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true, // a process group of its own, as in a terminal
  });
  let stdout = "";
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const { ready, natsServer, services } = await new Promise<Ready>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes("\n")) resolve(JSON.parse(stdout) as Ready);
    });
    void exited.then(({ code }) =>
      reject(new Error(`up ended with ${code} before it was ready:\n${stderr}`)),
    );
  });
  return {
    url: ready,
    pid: child.pid ?? 0,
    natsPid: natsServer.pid,
    servicePids: services.map(({ pid }) => pid),
    stderr: () => stderr,
    interrupt: () => void process.kill(-(child.pid ?? 0), "SIGINT"),
    signal: (signal) => void child.kill(signal),
    exited,
  };
}

/** Whether a process runs; one that has ended and that nobody has asked about yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
