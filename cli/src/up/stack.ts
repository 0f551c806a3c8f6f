import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "@incipit/client";
import { ensureNatsServer, findFreePort, startNatsServer, type NatsServer } from "@incipit/nats-server";
import type { Io } from "../io.ts";
import { serviceEnvironment } from "./environment.ts";
import { readTail, startService, type Service } from "./service.ts";

/** What to start. */
export type StackOptions = {
  /** Wanted; another one is taken where it is not free. */
  port: number;
  /** Folder for all data and logs; it exists and is ours. */
  data: string;
  renderers: number;
  io: Io;
};

/** Everything that runs: a nats-server, a registry, renderers. */
export type Stack = {
  url: string;
  nats: NatsServer;
  services: readonly Service[];
  /** Settles with which part was the first to end, and how. */
  broken: Promise<string>;
  /** Ends all, services before the server they talk to, and waits. */
  stop: () => Promise<void>;
};

/** How long everything may take to become ready: a large log is replayed first. */
const READY_MS = 120_000;
/** How often to look. */
const POLL_MS = 100;

/** Starts everything and waits until all of it is ready. Ends what it has started, and throws, if that fails. */
export async function startStack({ port, data, renderers, io }: StackOptions): Promise<Stack> {
  const log = (line: string) => io.err(`incipit: ${line}\n`);
  const bin = await ensureNatsServer({ env: io.env, platform: process.platform, install: true, log });
  const isFree = (await findFreePort(port)) === port || port === 0;
  if (!isFree) log(`port ${port} is taken; using a free one.`);
  // What can be made beforehand is, so that nothing runs yet where that fails.
  const logs = join(data, "logs");
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const nats = await startNatsServer({ bin, storeDir: join(data, "nats"), port: isFree ? port : 0 });
  const services: Service[] = [];
  const stop = async () => {
    await Promise.all(services.map((service) => service.stop()));
    await nats.stop();
  };
  const died = [nats.ended.then((how) => `nats-server ${how}; see ${nats.logFile}`)];
  const start = (name: string, main: string, own: Record<string, string>) => {
    const service = startService({
      name,
      main,
      logFile: join(logs, `${name}.log`),
      env: serviceEnvironment(io.env, { NATS_URL: nats.url, ...own }),
      companions: nats.pid === null ? [] : [nats.pid],
    });
    services.push(service);
    died.push(service.ended.then((how) => `${name} ${how}; see ${service.logFile}`));
  };
  const settled = new AbortController();
  try {
    start("registry", "@incipit/registry/main", { INCIPIT_DB: join(data, "registry.db") });
    for (let n = 1; n <= renderers; n++) start(`renderer-${n}`, "@incipit/renderer/main", {});
    const failure = await Promise.race([
      waitUntilReady(nats.url, renderers, io, settled.signal).then(() => null),
      ...died,
      new Promise<"ended">((resolve) => {
        if (io.ended.aborted) resolve("ended");
        io.ended.addEventListener("abort", () => resolve("ended"), { once: true });
      }),
    ]);
    if (failure !== null) throw new Error(await explain(failure, services));
  } catch (error) {
    await stop();
    throw error;
  } finally {
    settled.abort();
  }
  return { url: nats.url, nats, services, broken: Promise.race(died), stop };
}

async function explain(failure: string, services: readonly Service[]): Promise<string> {
  const dead = services.find((service) => !service.isRunning());
  return dead === undefined ? failure : `${failure}\n${await readTail(dead.logFile)}`;
}

/** Ready: the registry answers, and as many renderers have announced themselves, which they do once caught up. */
async function waitUntilReady(url: string, renderers: number, io: Io, settled: AbortSignal): Promise<void> {
  const { INCIPIT_PREFIX: prefix } = io.env;
  const client = await createClient({
    servers: url,
    name: "incipit-up",
    ...(prefix !== undefined && { prefix }),
  });
  try {
    const deadline = Date.now() + READY_MS;
    while (!(await isReady(client, renderers))) {
      if (settled.aborted) return;
      if (Date.now() > deadline) throw new Error(`not everything is ready after ${READY_MS / 1_000} s.`);
      await new Promise((next) => setTimeout(next, POLL_MS));
    }
  } finally {
    await client.close();
  }
}

async function isReady(client: Client, renderers: number): Promise<boolean> {
  const status = await client.status({ timeoutMs: 1_000 });
  if (!status.ok) return false;
  return (await client.instances("incipit-renderer", { expected: renderers })).length >= renderers;
}
