import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer, startNatsServer, type NatsServer, type StartOptions } from "@incipit/nats-server";
import { currentNatsServer } from "./current-nats-server.ts";

/** The program of one kind of nats-server; null, with the reason printed, where it cannot be had. */
export type NatsKind = { name: string; bin: string | null };

/** The servers that tests run against: the one on this machine (Debian's packaged one, usually), and a current one. */
export async function natsKinds(): Promise<NatsKind[]> {
  const system = findNatsServer({ env: process.env, platform: process.platform });
  if (system === null) console.warn("no nats-server on this machine, its tests are skipped");
  return [
    { name: "the system's nats-server", bin: system },
    { name: "a current nats-server", bin: await currentNatsServer() },
  ];
}

/** A server in a folder of its own that goes with it. */
export type TestServer = NatsServer & { dispose: () => Promise<void> };

/** Starts a server for a test. `dispose` kills it and removes its files. */
export async function startTestServer(
  bin: string,
  options: Omit<StartOptions, "bin" | "storeDir"> = {},
): Promise<TestServer> {
  const storeDir = mkdtempSync(join(tmpdir(), "incipit-test-nats-"));
  const server = await startNatsServer({ ...options, bin, storeDir });
  return Object.assign(Object.create(server) as NatsServer, {
    async dispose() {
      await server.kill();
      rmSync(storeDir, { recursive: true, force: true });
    },
  });
}
