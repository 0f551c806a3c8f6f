import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, chmodSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findFreePort, findNatsServer, howToInstall, startNatsServer, type NatsServer } from "./index.ts";
import { natsServerConfig } from "./config.ts";
import { readServerInfo } from "./ports.ts";

const here = { env: process.env, platform: process.platform };
const root = mkdtempSync(join(tmpdir(), "incipit-nats-server-"));
const started: NatsServer[] = [];
afterAll(async () => {
  for (const server of started) await server.kill();
  rmSync(root, { recursive: true, force: true });
});

test("NATS_SERVER_BIN comes first, and a wrong one is an error", () => {
  const bin = join(root, "my-server");
  writeFileSync(bin, "#!/bin/sh\n");
  chmodSync(bin, 0o755);
  expect(findNatsServer({ env: { NATS_SERVER_BIN: bin }, platform: "linux" })).toBe(bin);
  expect(() => findNatsServer({ env: { NATS_SERVER_BIN: root }, platform: "linux" })).toThrow(
    /NATS_SERVER_BIN/,
  );
});

test("PATH is searched in its order, and only for what can be run", () => {
  const first = mkdtempSync(join(root, "first"));
  const second = mkdtempSync(join(root, "second"));
  writeFileSync(join(first, "nats-server"), "", { mode: 0o644 });
  writeFileSync(join(second, "nats-server"), "", { mode: 0o755 });
  const found = findNatsServer({ env: { PATH: `${first}:${second}` }, platform: "linux" });
  expect(found).toBe(join(second, "nats-server"));
});

test("what to install is said for each system", () => {
  expect(howToInstall({ platform: "linux", debian: true, root: false })).toContain("sudo apt-get install");
  expect(howToInstall({ platform: "linux", debian: false, root: false })).toContain("GitHub");
  expect(howToInstall({ platform: "darwin", debian: false, root: false })).toContain(
    "brew install nats-server",
  );
  expect(howToInstall({ platform: "win32", debian: false, root: false })).toContain(
    "choco install nats-server",
  );
});

test("only a server that knows it is told to sync always", () => {
  const options = { serverName: "a", port: 1, jetStreamDir: "/x", maxPayload: 1, configLines: [] };
  expect(natsServerConfig({ ...options, version: "2.9.10" })).not.toContain("sync_interval");
  for (const version of ["2.10.0", "2.14.3", "3.0.0"])
    expect(natsServerConfig({ ...options, version })).toContain("sync_interval: always");
});

const bin = findNatsServer(here);
if (bin === null) console.warn("no nats-server on this machine: its start is not tested");

test.skipIf(bin === null)(
  "a server starts, is killed and comes back on the same port, and stops",
  async () => {
    const server = await startNatsServer({ bin: bin as string, storeDir: join(root, "a") });
    started.push(server);
    expect(server.url).toBe(`nats://127.0.0.1:${server.port}`);
    expect(await readServerInfo(server.port, 1_000)).toMatchObject({
      jetstream: true,
      max_payload: 8 * 1024 * 1024,
    });
    expect(statSync(join(root, "a", "nats-server.conf")).mode & 0o777).toBe(0o600);
    const first = server.pid;
    const { ended } = server;
    await server.kill();
    expect(server.pid).toBeNull();
    expect(await ended).toBe("was ended by SIGKILL");
    await server.restart();
    expect(server.pid).not.toBe(first);
    expect(server.ended).not.toBe(ended);
    expect(await readServerInfo(server.port, 1_000)).toMatchObject({ jetstream: true });
    await server.stop();
    expect(await server.ended).toMatch(/^(ended with code|was ended by SIGTERM)/);
    expect(await readServerInfo(server.port, 1_000)).toBeNull();
    expect(readFileSync(server.logFile, "utf8")).toContain("Server is ready");
  },
);

test("a port that is free is given where it is wanted, and another one where it is taken", async () => {
  const port = await findFreePort();
  expect(await findFreePort(port)).toBe(port);
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(port, "127.0.0.1", done));
  const other = await findFreePort(port);
  taken.close();
  expect(other).toBeGreaterThan(0);
  expect(other).not.toBe(port);
});

test.skipIf(bin === null)(
  "a port that is taken, or a bad setting, is an error that shows the server's log",
  async () => {
    const taken = await new Promise<Server>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
    });
    const port = (taken.address() as { port: number }).port;
    await expect(startNatsServer({ bin: bin as string, storeDir: join(root, "b"), port })).rejects.toThrow(
      /address already in use/,
    );
    taken.close();
    await expect(
      startNatsServer({ bin: bin as string, storeDir: join(root, "c"), configLines: ["no_such_setting: 1"] }),
    ).rejects.toThrow(/no_such_setting/);
  },
);
