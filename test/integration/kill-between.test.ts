import { rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { unwrap } from "@incipit/client";
import { afterEach, expect, it } from "vitest";
import { askEverything, writeHistory } from "../support/history.ts";
import { startHoldingProxy, type HoldingProxy } from "../support/holding-proxy.ts";
import { startNode } from "../support/processes.ts";
import { startStack, type Stack } from "../support/stack.ts";

const main = fileURLToPath(new URL("../../services/registry/dist/main.js", import.meta.url));
const withoutInstance = <T extends { instance: string | null }>({ instance: _, ...reply }: T) => reply;

let stack: Stack | undefined;
let proxy: HoldingProxy | undefined;
afterEach(async () => {
  await stack?.stop();
  await proxy?.stop();
  stack = undefined;
  proxy = undefined;
});

it("a registry killed exactly between the acknowledgement of an append and its projection loses nothing and doubles nothing", async () => {
  stack = await startStack({ registries: 0, renderers: 0 });
  proxy = await startHoldingProxy(stack.url, "prompt.log.");
  const db = path.join(stack.dir, "registry-0.db");
  const registry = startNode(main, [], { NATS_URL: proxy.url, INCIPIT_DB: db, LOG_LEVEL: "info" });
  await registry.line(({ msg }) => msg.endsWith(" is ready"));
  const client = await stack.connect("alice");
  const before = await writeHistory(client);
  const index = unwrap(await client.status()).chain.index;

  const command = { body: "Hello again", activate: true as const, commandId: "cut-off" };
  const acknowledged = proxy.hold(2);
  const impatient = await stack.connect("alice", { timeoutMs: 2_000 });
  const answer = impatient.add("cut/off", command);
  await acknowledged;
  // Asked over the same connection, behind the acknowledgements: once it answers, it has read them.
  expect(unwrap(await client.status())).toMatchObject({ seq: before, lag: 2, chain: { index } });
  await registry.end("SIGKILL");
  expect((await answer).ok).toBe(false);

  await stack.startRegistry(0);
  const reply = withoutInstance(unwrap(await client.add("cut/off", command)));
  expect(reply).toMatchObject({ version: 1, seq: before + 2, activated: "production" });
  expect(withoutInstance(unwrap(await client.add("cut/off", command)))).toEqual(reply);
  expect(unwrap(await client.status())).toMatchObject({
    seq: before + 2,
    chain: { index: index + 2 },
    rejected: { count: 0 },
  });
  const answers = await askEverything(client, before + 2);
  await stack.registries[0]?.end();
  for (const suffix of ["", "-wal", "-shm"]) await rm(stack.databaseOf(0) + suffix, { force: true });
  await stack.startRegistry(0);
  expect(await askEverything(client, before + 2)).toBe(answers);
});
