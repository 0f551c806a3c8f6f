import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectBus, silentLogger } from "@incipit/bus";
import { ensureNatsServer, startNatsServer } from "@incipit/nats-server";
import { expect, it } from "vitest";

it("a bus that is closing does not wait for a server that has gone", async () => {
  const dir = await mkdtemp(path.join(tmpdir(), "incipit-close-"));
  const { env, platform } = process;
  const bin = await ensureNatsServer({ env, platform, install: false, log: () => {} });
  const nats = await startNatsServer({ bin, storeDir: dir });
  try {
    const bus = await connectBus({ servers: nats.url, name: "test", logger: silentLogger });
    // The server hears nothing any more, so that draining has begun and not ended when it is gone.
    process.kill(nats.pid ?? 0, "SIGSTOP");
    const closing = bus.close();
    await nats.kill();
    await closing;
    expect(bus.isConnected()).toBe(false);
  } finally {
    await nats.stop();
    await rm(dir, { recursive: true, force: true });
  }
}, 8_000);
