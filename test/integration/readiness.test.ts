import path from "node:path";
import { fileURLToPath } from "node:url";
import { unwrap } from "@incipit/client";
import { findFreePort } from "@incipit/nats-server";
import { connect } from "nats";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startHoldingProxy } from "../support/holding-proxy.ts";
import { startNode } from "../support/processes.ts";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const SERVICES = {
  registry: ["query.status", (dir: string) => ({ INCIPIT_DB: path.join(dir, "late.db") })],
  renderer: ["render.greeting", () => ({})],
} as const;

it.each(["registry", "renderer"] as const)(
  "a %s that has not caught up with the log is not ready, and is asked nothing",
  async (service) => {
    const [subject, envOf] = SERVICES[service];
    const running = (stack = await startStack({ renderers: 0 }));
    const client = await running.connect();
    unwrap(await client.add("greeting", { body: "old", activate: true }));
    const { seq } = unwrap(await client.add("greeting", { body: "new", activate: true }));
    await running.registries[0]?.end();

    const proxy = await startHoldingProxy(running.url, "prompt.log.");
    void proxy.hold(Infinity);
    const nats = await connect({ servers: running.url });
    onTestFinished(() => nats.close());
    const manager = await nats.jetstreamManager();
    const followers = async () => (await manager.consumers.list("PROMPTS").next()).map(({ name }) => name);
    const before = new Set(await followers());
    const port = await findFreePort();
    const main = fileURLToPath(new URL(`../../services/${service}/dist/main.js`, import.meta.url));
    const late = startNode(main, [], {
      NATS_URL: proxy.url,
      INCIPIT_HEALTH_PORT: String(port),
      ...envOf(running.dir),
    });
    onTestFinished(async () => {
      await late.end();
      await proxy.stop();
    });
    const health = async (page: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/${page}`).catch(() => null);
      return answer === null ? null : answer.status;
    };

    await eventually("it follows the log", async () => (await followers()).some((name) => !before.has(name)));
    for (let asked = 0; asked < 20; asked++) {
      expect([await health("livez"), await health("readyz")]).toEqual([200, 503]);
      await expect(nats.request(`prompt.${subject}`, "{}", { timeout: 1_000 })).rejects.toMatchObject({
        code: "503",
      });
    }

    proxy.release();
    await late.line(({ msg }) => msg === `the ${service} is ready`);
    expect(await health("readyz")).toBe(200);
    const answer = JSON.parse(
      new TextDecoder().decode((await nats.request(`prompt.${subject}`, "{}")).data),
    ) as object;
    expect(answer).toMatchObject(service === "registry" ? { seq, lag: 0 } : { text: "new", version: 2 });
  },
);
