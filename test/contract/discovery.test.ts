import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectBus, silentLogger, type Bus, type RpcServer, type RpcService } from "@incipit/bus";
import { ensureNatsServer, startNatsServer, type NatsServer } from "@incipit/nats-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let dir: string;
let nats: NatsServer;
let bus: Bus;
const running: RpcServer[] = [];

const service = (name: string): RpcService => ({
  name,
  version: "1.0.0",
  description: "answers",
  queue: name,
  endpoints: [
    {
      name: "echo",
      subject: `${name}.echo`,
      template: `${name}.echo`,
      handler: ({ body }) => ({ ok: true, value: body }),
    },
  ],
});

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-discovery-"));
  const bin = await ensureNatsServer({
    env: process.env,
    platform: process.platform,
    install: false,
    log: () => {},
  });
  nats = await startNatsServer({ bin, storeDir: dir });
  bus = await connectBus({ servers: nats.url, name: "test", logger: silentLogger });
});

afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
  await bus.close();
  await nats.stop();
  await rm(dir, { recursive: true, force: true });
});

describe("discover", () => {
  it("finds nobody where nobody is", async () => {
    expect(await bus.discover("nobody", { waitMs: 2_000 })).toEqual([]);
  });

  it("finds every instance of a service and none of another", async () => {
    for (const name of ["svc-a", "svc-a", "svc-b"]) running.push(await bus.serve(service(name)));
    const found = await bus.discover("svc-a", { waitMs: 2_000, expected: 2 });
    expect(found.map(({ id }) => id).toSorted()).toEqual(
      running
        .slice(0, 2)
        .map(({ instance }) => instance)
        .toSorted(),
    );
    expect(found[0]).toMatchObject({ name: "svc-a", version: "1.0.0" });
  });

  it("returns with those who answered in time", async () => {
    expect(await bus.discover("svc-b", { waitMs: 200, expected: 5 })).toHaveLength(1);
  });
});
