import { copyFile, open, readdir, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { unwrap } from "@incipit/client";
import { afterEach, describe, expect, it } from "vitest";
import { askEverything, writeHistory } from "../support/history.ts";
import { startStack, type Stack } from "../support/stack.ts";

let running: Stack | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** A registry with a history, and every answer that it gives about it. */
async function startWithHistory() {
  const stack = (running = await startStack({ renderers: 0 }));
  const client = await stack.connect();
  const seq = await writeHistory(client);
  return { stack, client, seq, before: await askEverything(client, seq) };
}

/** The database and what SQLite keeps beside it. */
async function removeDatabase(file: string) {
  const folder = path.dirname(file);
  for (const name of await readdir(folder))
    if (name.startsWith(path.basename(file))) await rm(path.join(folder, name));
}

describe("a registry's file", () => {
  it("can be deleted: the replay answers every query byte for byte as before", async () => {
    const { stack, client, seq, before } = await startWithHistory();
    await stack.registries[0]?.end();
    await removeDatabase(stack.databaseOf(0));
    await stack.startRegistry(0);
    expect(await askEverything(client, seq)).toBe(before);
  });

  // Corrupt or foreign projection files must never be fatal: the log is the truth.
  it.each([
    ["garbage", (file: string) => writeFile(file, "this is no database")],
    ["empty", (file: string) => writeFile(file, "")],
  ])("can be %s: it is rebuilt", async (_, spoil) => {
    const { stack, client, seq, before } = await startWithHistory();
    await stack.registries[0]?.end();
    await removeDatabase(stack.databaseOf(0));
    await spoil(stack.databaseOf(0));
    await stack.startRegistry(0);
    expect(await askEverything(client, seq)).toBe(before);
  });

  it("can be damaged in the middle: it is rebuilt at the start", async () => {
    const { stack, client, seq, before } = await startWithHistory();
    await stack.registries[0]?.end();
    const file = await open(stack.databaseOf(0), "r+");
    const { size } = await file.stat();
    await file.write(new Uint8Array(size - 4096).fill(0xaa), 0, size - 4096, 4096);
    await file.close();
    await stack.startRegistry(0);
    expect(await askEverything(client, seq)).toBe(before);
  });

  it("can be cut off while it is in use: it is rebuilt, and whoever asks meanwhile gets the answer a moment later", async () => {
    const { stack, client, seq, before } = await startWithHistory();
    // Started anew, it has little of the file in memory.
    await stack.registries[0]?.end();
    const registry = await stack.startRegistry(0);
    await truncate(stack.databaseOf(0), 0);
    expect(await askEverything(client, seq)).toBe(before);
    await registry.line(({ msg }) => msg === "the projection is rebuilt");
    expect(unwrap(await client.add("support/triage", { body: "after" })).version).toBe(8);
  });

  it("of another log is rebuilt from this one", async () => {
    const { stack, client, seq, before } = await startWithHistory();
    const other = await startStack({ renderers: 0 });
    try {
      const stranger = await other.connect();
      unwrap(await stranger.add("elsewhere", { body: "x", activate: true }));
      await other.registries[0]?.end();
      await stack.registries[0]?.end();
      await removeDatabase(stack.databaseOf(0));
      await copyFile(other.databaseOf(0), stack.databaseOf(0));
      await stack.startRegistry(0);
      expect(await askEverything(client, seq)).toBe(before);
    } finally {
      await other.stop();
    }
  });

  it("survives kill -9 at any moment of a burst: what was acknowledged is there, once, and the chain holds", async () => {
    const stack = (running = await startStack({ renderers: 0 }));
    const client = await stack.connect("alice", { timeoutMs: 30_000 });
    const acknowledged: { key: string; version: number; hash: string; seq: number }[] = [];
    for (let round = 0; round < 6; round++) {
      const registry = stack.registries[0];
      let kill: Promise<unknown> | undefined;
      // Sent by 8 at a time; the kill comes once a different number of each round's commands is acknowledged.
      let done = 0;
      const workers = Array.from({ length: 8 }, async (_, worker) => {
        for (let n = 0; n < 10; n++) {
          const key = `burst/${round}-${worker}`;
          const reply = unwrap(
            await client.add(key, {
              body: `${round} ${worker} ${n}`,
              activate: true,
              retryNoResponders: true,
            }),
          );
          acknowledged.push(reply);
          expect(reply.version).toBe(n + 1);
          if (++done === 5 + round * 7) kill = registry?.end("SIGKILL").then(() => stack.startRegistry(0));
        }
      });
      await Promise.all(workers);
      await kill;
    }
    const { seq, chain, rejected } = unwrap(await client.status());
    expect(chain.index).toBe(6 * 8 * 10 * 2);
    expect(rejected.count).toBe(0);
    for (const { key, version, hash } of acknowledged)
      expect(unwrap(await client.get(`${key}@${version}`, { minSeq: seq })).hash).toBe(hash);
    const live = await askEverything(client, seq);
    await stack.registries[0]?.end("SIGKILL");
    await removeDatabase(stack.databaseOf(0));
    await stack.startRegistry(0);
    expect(await askEverything(client, seq)).toBe(live);
  });
});
