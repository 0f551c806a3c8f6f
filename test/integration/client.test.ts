import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectBus, silentLogger, type Bus, type RpcServer } from "@incipit/bus";
import { createClient, type Client } from "@incipit/client";
import { ensureNatsServer, startNatsServer, type NatsServer } from "@incipit/nats-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let dir: string;
let nats: NatsServer;
let bus: Bus;
let client: Client;
const servers: RpcServer[] = [];

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-client-"));
  const { env, platform } = process;
  const bin = await ensureNatsServer({ env, platform, install: false, log: () => {} });
  nats = await startNatsServer({ bin, storeDir: dir });
  bus = await connectBus({ servers: nats.url, name: "service", logger: silentLogger });
  client = await createClient({ servers: nats.url, actor: "alice", timeoutMs: 2_000 });
});

afterAll(async () => {
  await client.close();
  await Promise.all(servers.map((server) => server.stop()));
  await bus.close();
  await nats.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Answers on a subject until the file ends. */
async function answer(subject: string, handler: (body: unknown) => unknown): Promise<void> {
  servers.push(
    await bus.serve({
      name: "stand-in",
      version: "1.0.0",
      description: "answers in place of a service",
      queue: "stand-in",
      endpoints: [
        {
          name: "any",
          subject,
          template: "stand-in",
          handler: async ({ body }) => ({ ok: true, value: await handler(body) }),
        },
      ],
    }),
  );
}

const rendered = {
  key: "a",
  version: 1,
  label: "production",
  seq: 1,
  hash: "00",
  contract: null,
  text: "Hello",
  partials: [],
  warnings: [],
};

describe("a client", () => {
  // How fast exactly is measured in bench/propagation.bench.ts: here the machine may be busy.
  const timeoutMs = 10_000;

  it("fails at once where nobody answers, without waiting for its timeout", async () => {
    const since = performance.now();
    const result = await client.render("a", { timeoutMs });
    expect(performance.now() - since).toBeLessThan(timeoutMs / 2);
    expect(result).toMatchObject({ ok: false, problem: { code: "no_responders", status: 503 } });
  });

  it("goes on with the fallback text just as fast, and says so", async () => {
    const since = performance.now();
    const result = await client.render("a", { fallback: "Hi", timeoutMs });
    expect(performance.now() - since).toBeLessThan(timeoutMs / 2);
    expect(result).toMatchObject({
      value: { text: "Hi", fallback: true, problem: { code: "no_responders" } },
    });
  });

  it("waits for a service to appear where it is told to", async () => {
    const waiting = client.render("late/comer", { retryNoResponders: true, timeoutMs: 10_000 });
    await answer("prompt.render.late.comer", () => ({ ...rendered, later: "field" }));
    expect(await waiting).toMatchObject({ ok: true, value: { text: "Hello", later: "field" } });
  });

  it("asks again under the same id where a reply is lost", async () => {
    const ids: unknown[] = [];
    let release = () => {};
    const forgotten = new Promise<void>((resolve) => (release = resolve));
    await answer("prompt.cmd.alice.activate.b", async (body) => {
      ids.push((body as { commandId: string }).commandId);
      if (ids.length === 1) await forgotten;
      return {
        key: "b",
        label: "production",
        version: 1,
        previous: null,
        seq: 2,
        changed: true,
        warnings: [],
      };
    });
    const result = await client.activate("b", { version: 1, timeoutMs: 1_000 });
    release();
    expect(result).toMatchObject({ ok: true, value: { seq: 2, instance: expect.any(String) } });
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("gives the fallback text while the server is away, and renders again once it is back", async () => {
    await nats.kill();
    const away = await client.render("late/comer", { fallback: "Hi" });
    expect(away).toMatchObject({ value: { text: "Hi", fallback: true, problem: { code: "unavailable" } } });
    expect(await client.render("late/comer")).toMatchObject({ problem: { code: "unavailable" } });
    await nats.restart();
    const back = await client.render("late/comer", { retryNoResponders: true, timeoutMs: 10_000 });
    expect(back).toMatchObject({ ok: true, value: { text: "Hello" } });
  });
});
