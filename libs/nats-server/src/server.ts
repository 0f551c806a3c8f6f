import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DEFAULT_MAX_PAYLOAD, natsServerConfig } from "./config.ts";
import { findFreePort, readServerInfo } from "./ports.ts";
import { readNatsServerVersion } from "./version.ts";

/** A server to start. */
export type StartOptions = {
  /** The program. */
  bin: string;
  /** Its folder, made where it is missing: configuration file, log file, JetStream's files. */
  storeDir: string;
  /** 0, the default: a free one. */
  port?: number;
  /** Whether it keeps streams itself, and in which domain; true unless told otherwise. */
  jetStream?: boolean | { domain: string };
  /** Further lines of its configuration, such as accounts or a cluster. */
  configLines?: readonly string[];
  /** Largest message, in bytes; 8 MB unless told otherwise. */
  maxPayload?: number;
};

/**
 * A running server. It is killed when this process exits. A process that dies of a signal it does not handle (SIGTERM without
 * a handler, SIGKILL always) does not get to do that: the server lives on.
 */
export type NatsServer = {
  url: string;
  port: number;
  version: string;
  /** The log file: its stdout and stderr. */
  logFile: string;
  /** Process id; it changes with a restart, and is null while the server is down. */
  readonly pid: number | null;
  /** Settles with how its process ended, whoever ended it: "was ended by SIGKILL". A restart gives another one. */
  readonly ended: Promise<string>;
  /** Ends it and waits until it has ended; by SIGKILL where 10 s do not suffice. `SIGTERM` unless told otherwise. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
  /** Ends it at once, as a crash would, and waits until it has ended. */
  kill: () => Promise<void>;
  /** Starts it again on the same port and files, ending it first where it runs. */
  restart: () => Promise<void>;
};

/** How long a server may take until it is ready: it reads its whole store first. */
const READY_MS = 30_000;
/** How long a server may take to end when asked. */
const STOP_MS = 10_000;
/** How often to look whether it is ready. */
const POLL_MS = 15;
/** How long to wait for a server's greeting: whoever holds our port instead may have none. */
const INFO_MS = 500;
/** How often to choose another port where somebody else took the one that was free. */
const PORT_TRIES = 5;

/** Starts a nats-server on 127.0.0.1 and waits until it takes clients and, where it has it, JetStream is on. */
export async function startNatsServer(options: StartOptions): Promise<NatsServer> {
  const version = await readNatsServerVersion(options.bin);
  const fixed = options.port !== undefined && options.port !== 0;
  for (let attempt = 1; ; attempt++) {
    const port = fixed ? (options.port as number) : await findFreePort();
    try {
      return await startOn(port, version, options);
    } catch (error) {
      if (fixed || attempt === PORT_TRIES || !(error instanceof PortTakenError)) throw error;
    }
  }
}

/** Somebody else listens on the port. */
class PortTakenError extends Error {}

async function startOn(port: number, version: string, options: StartOptions): Promise<NatsServer> {
  const storeDir = resolve(options.storeDir);
  mkdirSync(storeDir, { recursive: true, mode: 0o700 });
  const configFile = join(storeDir, "nats-server.conf");
  const logFile = join(storeDir, "nats-server.log");
  const serverName = `incipit-${randomUUID()}`;
  const jetStream = options.jetStream ?? true;
  const config = natsServerConfig({
    version,
    serverName,
    port,
    jetStreamDir: jetStream !== false ? join(storeDir, "jetstream") : null,
    ...(typeof jetStream === "object" && { jetStreamDomain: jetStream.domain }),
    maxPayload: options.maxPayload ?? DEFAULT_MAX_PAYLOAD,
    configLines: options.configLines ?? [],
  });
  await writeFile(configFile, config, { mode: 0o600 });
  await chmod(configFile, 0o600); // an older file keeps its mode

  let child: ChildProcess | null = null;
  let ended: Promise<string>;

  async function start() {
    const started = spawnServer(options.bin, configFile, logFile);
    child = started;
    ended = endOf(started);
    try {
      await waitUntilReady(started, { port, serverName, logFile, jetStream: jetStream !== false });
    } catch (error) {
      await end(started, "SIGKILL");
      throw error;
    }
  }
  async function stop(signal: NodeJS.Signals = "SIGTERM") {
    if (child) await end(child, signal);
    child = null;
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    version,
    logFile,
    get pid() {
      return child !== null && isRunning(child) ? (child.pid ?? null) : null;
    },
    get ended() {
      return ended;
    },
    stop,
    kill: () => stop("SIGKILL"),
    async restart() {
      await stop();
      await start();
    },
  };
}

function spawnServer(bin: string, configFile: string, logFile: string): ChildProcess {
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(bin, ["--config", configFile], { stdio: ["ignore", log, log] });
  closeSync(log);
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  child.once("exit", () => process.off("exit", killWithUs));
  child.once("error", () => process.off("exit", killWithUs));
  return child;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) =>
      resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
  });
}

const isRunning = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

type Expected = { port: number; serverName: string; logFile: string; jetStream: boolean };

async function waitUntilReady(child: ChildProcess, { port, serverName, logFile, jetStream }: Expected) {
  let failure: Error | null = null;
  child.once("error", (error) => (failure = error));
  const deadline = Date.now() + READY_MS;
  for (;;) {
    if (failure !== null) throw new Error(`Cannot start ${child.spawnfile}.`, { cause: failure });
    const info = (await readServerInfo(port, INFO_MS)) as {
      server_name?: string;
      jetstream?: boolean;
    } | null;
    if (info?.server_name === serverName && (info.jetstream === true || !jetStream)) return;
    if (!isRunning(child) && failure === null && child.pid !== undefined) {
      const log = (await readFile(logFile, "utf8")).trimEnd().split("\n").slice(-10).join("\n");
      const message = `nats-server ended before it was ready. The end of ${logFile}:\n${log}`;
      throw log.includes("address already in use") ? new PortTakenError(message) : new Error(message);
    }
    if (Date.now() > deadline)
      throw new Error(`nats-server is not ready after ${READY_MS} ms; see ${logFile}.`);
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return;
  const ended = new Promise((next) => child.once("exit", next));
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
}
