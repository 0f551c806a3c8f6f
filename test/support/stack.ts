import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, type Client } from "@incipit/client";
import { ensureNatsServer, findFreePort, startNatsServer, type NatsServer } from "@incipit/nats-server";
import { startNode, type TestProcess } from "./processes.ts";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** What a stack is made of. */
export type StackOptions = {
  registries?: number;
  renderers?: number;
  /** Environment of the services beside what the stack sets itself. */
  env?: Record<string, string>;
  /** Further lines of the server's configuration, such as users; `env` then holds the services' credentials. */
  natsConfigLines?: readonly string[];
  /** The nats-server to run; by default the one found on this machine. */
  natsBin?: string;
  /**
   * Services and clients connect to a server of their own without streams, a leaf of the one that keeps the log: the log
   * can then be lost while the bus works on.
   */
  throughLeaf?: boolean;
};

/**
 * Milliseconds that a call may take unless a test says otherwise. On a busy machine a service may find its follower silent
 * and begin again, which takes some seconds; half of this is the first attempt's, and of that it waits four fifths.
 */
const PATIENCE_MS = 30_000;

/** How a client of a test connects. */
type ConnectOptions = { timeoutMs?: number; user?: string; password?: string; inboxPrefix?: string };

/** A whole system on loopback: a real nats-server, real services as processes of their own, real files. */
export type Stack = {
  url: string;
  dir: string;
  /** The server that keeps the log. */
  nats: NatsServer;
  registries: TestProcess[];
  renderers: TestProcess[];
  /** The SQLite file of a registry started here. */
  databaseOf: (registry: number) => string;
  /** Starts one more, or again at the same place in the list with the same file, and waits until it is ready. */
  startRegistry: (at?: number) => Promise<TestProcess>;
  startRenderer: (at?: number) => Promise<TestProcess>;
  /** A client of its own connection, closed with the stack. */
  connect: (actor?: string, options?: ConnectOptions) => Promise<Client>;
  /** Ends everything. */
  stop: () => Promise<void>;
};

/** Starts a stack and waits until every service is ready. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dir = await mkdtemp(path.join(tmpdir(), "incipit-stack-"));
  const bin =
    options.natsBin ?? (await ensureNatsServer({ env: process.env, install: false, log: () => {} }));
  const storeDir = path.join(dir, "nats");
  await mkdir(storeDir);
  const leafPort = options.throughLeaf ? await findFreePort() : null;
  const nats = await startNatsServer({
    bin,
    storeDir,
    ...(leafPort !== null && { jetStream: { domain: "hub" } }),
    configLines: [
      ...(options.natsConfigLines ?? []),
      ...(leafPort === null ? [] : [`leafnodes { listen: "127.0.0.1:${leafPort}" }`]),
    ],
  });
  const edge =
    leafPort === null
      ? nats
      : await startNatsServer({
          bin,
          storeDir: path.join(dir, "edge"),
          jetStream: false,
          configLines: [
            `leafnodes { reconnect: 1, remotes: [{ url: "nats-leaf://127.0.0.1:${leafPort}" }] }`,
            'default_js_domain { "$G": "hub" }',
          ],
        });
  const registries: TestProcess[] = [];
  const renderers: TestProcess[] = [];
  const clients: Client[] = [];
  const databaseOf = (registry: number) => path.join(dir, `registry-${registry}.db`);
  const common = { NATS_URL: edge.url, LOG_LEVEL: "info", ...options.env };

  async function start(list: TestProcess[], at: number, service: string, env: Record<string, string>) {
    const child = startNode(path.join(root, `services/${service}/dist/main.js`), [], { ...common, ...env });
    list[at] = child;
    await child.line(({ msg }) => msg.endsWith(" is ready"));
    return child;
  }
  const startRegistry = (at = registries.length) =>
    start(registries, at, "registry", { INCIPIT_DB: databaseOf(at), ...options.env });
  const startRenderer = (at = renderers.length) => start(renderers, at, "renderer", {});

  async function stop() {
    await Promise.allSettled(clients.map((client) => client.close()));
    await Promise.all([...renderers, ...registries].map((child) => child.end()));
    if (edge !== nats) await edge.stop();
    await nats.stop();
    await rm(dir, { recursive: true, force: true });
  }

  try {
    // Together, as a deployment would: each must cope with the others starting at the same moment.
    await Promise.all([
      ...Array.from({ length: options.registries ?? 1 }, (_, at) => startRegistry(at)),
      ...Array.from({ length: options.renderers ?? 1 }, (_, at) => startRenderer(at)),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: edge.url,
    dir,
    nats,
    registries,
    renderers,
    databaseOf,
    startRegistry,
    startRenderer,
    connect: async (actor = "alice", { timeoutMs = PATIENCE_MS, ...credentials } = {}) => {
      const client = await createClient({ servers: edge.url, actor, timeoutMs, ...credentials });
      clients.push(client);
      return client;
    },
    stop,
  };
}
