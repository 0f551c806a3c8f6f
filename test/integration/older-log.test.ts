import { readdir, readFile } from "node:fs/promises";
import { unwrap } from "@incipit/client";
import { connect } from "nats";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

type Golden = { subject: string; payload: string; chain: { index: number; head: string } };

/** Every shape an event ever had, as it was stored, in one chain. */
async function readGolden(): Promise<Golden[]> {
  const folder = new URL("../../libs/events/golden/", import.meta.url);
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(new URL(name, folder), "utf8")) as Golden),
  );
}

// opik #4416: after an upgrade of the server nothing could be read that an older one had stored.
it("a log that earlier releases wrote is read, served and written on by this one", async () => {
  const running = (stack = await startStack({ renderers: 0 }));
  const golden = await readGolden();
  const last = golden.at(-1) as Golden;
  await running.registries[0]?.end();
  const nats = await connect({ servers: running.url });
  onTestFinished(() => nats.close());
  for (const { subject, payload } of golden) await nats.jetstream().publish(subject, payload);

  await running.startRegistry();
  await running.startRenderer();
  const client = await running.connect();
  expect(unwrap(await client.status())).toMatchObject({
    seq: golden.length,
    lag: 0,
    chain: last.chain,
    rejected: { count: 0 },
    newerThanUs: null,
    counts: { versions: 1, seeds: 1 },
  });
  const key = "support/triage";
  const context = { name: "Ada", items: ["one"] };
  expect(unwrap(await client.get(`${key}@1`))).toMatchObject({
    onError: "degrade",
    contract: "run",
    config: { model: "m", temperature: 0.2, stop: ["\n"] },
    tags: ["team-a"],
    note: "first wording",
    actor: "alice",
  });
  expect(unwrap(await client.activations(key)).items).toMatchObject([
    { version: null, previous: 1, note: "rollback to the seed" },
    { version: 1, previous: null, note: "launch" },
  ]);
  expect(unwrap(await client.render(key, { context }))).toMatchObject({ version: 0, text: "Hi Ada" });
  expect(unwrap(await client.contract("run")).version).toBe(1);

  const added = unwrap(await client.add(key, { body: "Good day {{name}}", activate: true }));
  expect(added).toMatchObject({ version: 2, seq: golden.length + 2 });
  expect(unwrap(await client.render(key, { context, minSeq: added.seq })).text).toBe("Good day Ada");
  const admitted: string[] = [];
  for await (const { admission } of client.log()) admitted.push(admission.status);
  expect(admitted).toEqual(Array.from({ length: golden.length + 2 }, () => "event"));
});
