import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectBus, silentLogger, type BusOptions, type BusState } from "@incipit/bus";
import { findFreePort, findNatsServer, startNatsServer } from "@incipit/nats-server";
import { nkeys } from "nats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startTestServer, type TestServer } from "../support/nats-servers.ts";

const bin = findNatsServer({ env: process.env });
if (bin === null) console.warn("no nats-server on this machine: connecting is not tested");

const pair = nkeys.createUser();
const nkey = { nkeySeed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };

describe.skipIf(bin === null)("connecting", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(bin as string, {
      configLines: [
        `authorization { users: [ { user: "ann", password: "s3cr%t" }, { nkey: ${nkey.publicKey} } ] }`,
      ],
    });
  });
  afterAll(() => server.dispose());
  const open = (options: Partial<BusOptions>) =>
    connectBus({ servers: server.url, name: "test", logger: silentLogger, ...options });

  test("names the server that is not there, without its password", async () => {
    const port = await findFreePort();
    const servers = `nats://ann:s3cret@127.0.0.1:${port}`;
    const failure: unknown = await open({ servers }).catch((error: unknown) => error);
    expect(String(failure)).toBe(
      `Error: Cannot connect to NATS at nats://127.0.0.1:${port}: nothing listens there.`,
    );
  });

  test.each([
    ["greets with something else", "HTTP/1.1 400 Bad Request\r\n", /what listens there is no NATS server/],
    ["says nothing", "", /no NATS server greeted within 300 ms/],
  ])("gives up in time on what takes the dial and %s, and keeps no socket", async (_, greeting, reason) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {}).resume();
      socket.write(greeting);
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = silent.address() as AddressInfo;
      await expect(open({ servers: `nats://127.0.0.1:${port}`, dialTimeoutMs: 300 })).rejects.toThrow(reason);
      await eventually(
        "every socket is closed",
        () => sockets.length > 0 && sockets.every(({ closed }) => closed),
      );
    } finally {
      silent.close();
    }
  });

  test("says so where the credentials are refused, and does not wait", async () => {
    await expect(open({ user: "ann", password: "wrong", firstConnectMs: 60_000 })).rejects.toThrow(
      /refused these credentials/,
    );
    await expect(open({})).rejects.toThrow(/refused these credentials/);
  });

  test("takes user and password, also out of the URL, and a key", async () => {
    for (const options of [
      { user: "ann", password: "s3cr%t" },
      { servers: `nats://ann:s3cr%25t@127.0.0.1:${server.port}` },
      { nkeySeed: nkey.nkeySeed },
    ]) {
      const bus = await open(options);
      expect(bus.isConnected()).toBe(true);
      expect(bus.serverVersion).toBe(server.version);
      await bus.close();
    }
  });

  test("names the file of credentials that cannot be read", async () => {
    await expect(open({ credsFile: "/nowhere/x.creds" })).rejects.toThrow(/\/nowhere\/x\.creds/);
  });

  test("speaks TLS only with whom the given authority vouches for", async () => {
    const dir = mkdtempSync(join(tmpdir(), "incipit-test-tls-"));
    const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")];
    const request =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost";
    const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", cert];
    execFileSync("openssl", [...request.split(" "), ...names], { stdio: "ignore" });
    const secure = await startTestServer(bin as string, {
      configLines: [`tls { cert_file: "${cert}", key_file: "${key}" }`],
    });
    const bus = await open({ servers: secure.url, caFile: cert });
    await bus.close();
    await expect(open({ servers: secure.url })).rejects.toThrow(/certificate/);
    await expect(open({ user: "ann", password: "s3cr%t", caFile: cert })).rejects.toThrow(/tls/i);
    await secure.dispose();
    rmSync(dir, { recursive: true });
  });

  test("waits for a server that comes later, if told to, and tells of its state from then on", async () => {
    const storeDir = mkdtempSync(join(tmpdir(), "incipit-test-nats-"));
    const port = await findFreePort();
    const connecting = open({ servers: `127.0.0.1:${port}`, firstConnectMs: 20_000 });
    const late = await startNatsServer({ bin: bin as string, storeDir, port });
    const bus = await connecting;
    const states: BusState[] = [];
    bus.onState((state) => states.push(state));
    await late.kill();
    await eventually("it is disconnected", () => !bus.isConnected());
    await late.restart();
    await eventually("it is connected", () => bus.isConnected());
    await bus.close();
    expect(states).toEqual(["disconnected", "reconnected", "closed"]);
    await late.stop();
    rmSync(storeDir, { recursive: true, force: true });
  });

  test("can be closed while the server is away", async () => {
    const other = await startTestServer(bin as string);
    const bus = await open({ servers: other.url });
    await other.kill();
    await eventually("it is disconnected", () => !bus.isConnected());
    await expect(bus.close()).resolves.toBeUndefined();
    await other.dispose();
  });
});
