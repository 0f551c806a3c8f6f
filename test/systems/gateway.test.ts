import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { unwrap, type Client } from "@incipit/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askEveryInstance } from "../support/every-instance.ts";
import { startStack, type Stack } from "../support/stack.ts";

// GW: a prompt store behind a gateway. Texts are keyed by job, and switched without a deploy.
const RENDERERS = 2;

let seeds: string;
let stack: Stack;
let client: Client;
let agent: Client;

const seed = async (folder: string, key: string, body: string) => {
  await mkdir(path.join(seeds, folder), { recursive: true });
  await writeFile(path.join(seeds, folder, `${key}.md`), body);
};

beforeAll(async () => {
  seeds = await mkdtemp(path.join(tmpdir(), "incipit-gateway-"));
  await seed("shipped", "gw02", "as shipped");
  await seed("shipped", "gw07-both", "as shipped");
  await seed("host", "gw07-both", "as the host has it");
  await seed("shipped", "gw07-shipped", "as shipped");
  const folders = ["shipped", "host"].map((folder) => path.join(seeds, folder));
  stack = await startStack({
    registries: 2,
    renderers: RENDERERS,
    env: { INCIPIT_SEEDS: folders.join(path.delimiter) },
  });
  client = await stack.connect("alice");
  agent = await stack.connect("agent");
});
afterAll(async () => {
  await stack.stop();
  await rm(seeds, { recursive: true, force: true });
});

/** A key with versions 1, 2, …, all inactive; the position of the last. */
async function addAll(key: string, bodies: readonly string[]): Promise<number> {
  let last = 0;
  for (const body of bodies) last = unwrap(await client.add(key, { body })).seq;
  return last;
}
/** What each renderer serves, at a state no older than `minSeq`. */
async function servedByAll(key: string, minSeq: number) {
  const answers = await askEveryInstance(RENDERERS, async () => unwrap(await agent.render(key, { minSeq })));
  return answers.map(({ text, version }) => ({ text, version }));
}
const onAll = (text: string, version: number) => Array.from({ length: RENDERERS }, () => ({ text, version }));

it("GW-01 one active version per key: at no moment of a switch are there two or none", async () => {
  const key = "gw01";
  await addAll(key, ["one", "two"]);
  const { seq: minSeq } = unwrap(await client.activate(key, { version: 1 }));
  const texts = ["one", "two"];
  const run = { over: false };
  const seen = new Set<number>();
  const watch = async (look: () => Promise<void>) => {
    while (!run.over) await look();
  };
  const watchers = Promise.all([
    watch(async () => {
      const { items } = unwrap(await agent.versions(key, { minSeq }));
      expect(items).toHaveLength(2);
      expect(items.flatMap(({ labels }) => labels)).toEqual(["production"]);
    }),
    watch(async () => {
      const { version, body, labels } = unwrap(await agent.get(key, { minSeq }));
      expect([body, labels]).toEqual([texts[version - 1], ["production"]]);
    }),
    watch(async () => {
      const { version, text } = unwrap(await agent.render(key, { minSeq }));
      expect(text).toBe(texts[version - 1]);
      seen.add(version);
    }),
  ]);
  const switches = (async () => {
    for (let n = 0; n < 60; n++) {
      const version = n % 2 === 0 ? 2 : 1;
      const moved = unwrap(await client.activate(key, { version }));
      expect(moved).toMatchObject({ version, previous: 3 - version, changed: true });
    }
  })();
  await Promise.race([switches, watchers]); // a watcher that fails ends the test at once
  run.over = true;
  await watchers;
  expect(seen).toEqual(new Set([1, 2]));
});

it("GW-02 an add is numbered newest + 1 from 1 on, beside the seed's 0, inactive, and gives back what is stored", async () => {
  expect(unwrap(await client.get("gw02"))).toMatchObject({ version: 0, source: "seed", body: "as shipped" });
  for (const [version, body] of [
    [1, "first"],
    [2, "second"],
    [3, "first"],
  ] as const) {
    const added = unwrap(await client.add("gw02", { body, note: `note ${version}` }));
    expect(added).toMatchObject({ key: "gw02", version, activated: null });
    expect(unwrap(await client.get(`gw02@${version}`, { minSeq: added.seq }))).toMatchObject({
      key: "gw02",
      version,
      body,
      hash: added.hash,
      seq: added.seq,
      created: added.created,
      note: `note ${version}`,
      source: "user",
      labels: [],
    });
  }
  // Numbered by what was ever stored, whatever is active.
  unwrap(await client.activate("gw02", { version: 1 }));
  expect(unwrap(await client.add("gw02", { body: "fourth" })).version).toBe(4);
});

it("GW-03 after an add nothing changes for callers until it is activated", async () => {
  const { seq: first } = unwrap(await client.add("gw03", { body: "old", activate: true }));
  expect(await servedByAll("gw03", first)).toEqual(onAll("old", 1));
  const { seq: added } = unwrap(await client.add("gw03", { body: "new" }));
  expect(await servedByAll("gw03", added)).toEqual(onAll("old", 1));
  expect(unwrap(await client.get("gw03", { minSeq: added }))).toMatchObject({ version: 1, body: "old" });
  const { seq: activated } = unwrap(await client.activate("gw03", { version: 2 }));
  expect(await servedByAll("gw03", activated)).toEqual(onAll("new", 2));
});

it("GW-04 an unknown version is not found, and the active one stays", async () => {
  const { seq } = unwrap(await client.add("gw04", { body: "stays", activate: true }));
  for (const version of [2, 99])
    expect(await client.activate("gw04", { version })).toMatchObject({
      ok: false,
      problem: { code: "version_not_found", status: 404, key: "gw04", version },
    });
  expect(await client.activate("gw04", { version: 0 })).toMatchObject({
    problem: { code: "version_not_found" },
  });
  expect(unwrap(await client.activations("gw04", { minSeq: seq })).items).toHaveLength(1);
  expect(await servedByAll("gw04", seq)).toEqual(onAll("stays", 1));
});

it("GW-05 a rollback is the activation of an older version", async () => {
  await addAll("gw05", ["one", "two", "three"]);
  for (const version of [3, 1]) {
    const { seq } = unwrap(await client.activate("gw05", { version, note: `to ${version}` }));
    expect(await servedByAll("gw05", seq)).toEqual(onAll(version === 3 ? "three" : "one", version));
  }
  const { items } = unwrap(await client.activations("gw05"));
  expect(items).toMatchObject([
    { version: 1, previous: 3, note: "to 1", actor: "alice" },
    { version: 3, previous: null, note: "to 3", actor: "alice" },
  ]);
  expect(unwrap(await client.versions("gw05")).total).toBe(3);
});

it("GW-06 who has activated is served it with its next render, and everybody else follows by event", async () => {
  await addAll("gw06", ["one", "two"]);
  for (const [version, text] of [
    [1, "one"],
    [2, "two"],
  ] as const) {
    const { seq } = unwrap(await client.activate("gw06", { version }));
    expect(unwrap(await client.render("gw06", { minSeq: seq }))).toMatchObject({ version, text });
    // Without `minSeq` too: nobody's memory has a time to live, so that once it is served it stays.
    const followed = new Set<string | null>();
    for (let asked = 0; followed.size < RENDERERS || asked < 50; asked++) {
      const reply = unwrap(await agent.render("gw06"));
      if (reply.version === version) followed.add(reply.instance);
      else expect(followed).not.toContain(reply.instance);
    }
  }
});

it("GW-07 the active version answers, else the host's seed for the key, else the shipped one, else nothing", async () => {
  const at = async (key: string, minSeq = 0) => {
    const [one, ...others] = await servedByAll(key, minSeq);
    for (const other of others) expect(other).toEqual(one);
    expect(unwrap(await client.get(key, { minSeq }))).toMatchObject({
      version: one?.version,
      body: one?.text,
    });
    return one;
  };
  // On the fresh store at once: nothing was ever added.
  expect(await at("gw07-both")).toEqual({ text: "as the host has it", version: 0 });
  expect(await at("gw07-shipped")).toEqual({ text: "as shipped", version: 0 });
  for (const reply of [await client.render("gw07-none"), await client.get("gw07-none")])
    expect(reply).toMatchObject({ ok: false, problem: { code: "key_not_found", status: 404 } });

  const added = unwrap(await client.add("gw07-both", { body: "mine" }));
  expect(await at("gw07-both", added.seq)).toEqual({ text: "as the host has it", version: 0 });
  const { seq } = unwrap(await client.activate("gw07-both", { version: 1 }));
  expect(await at("gw07-both", seq)).toEqual({ text: "mine", version: 1 });
  const back = unwrap(await client.deactivate("gw07-both"));
  expect(back.nowServes).toBe(0);
  expect(await at("gw07-both", back.seq)).toEqual({ text: "as the host has it", version: 0 });
  // Stored, never activated and without a seed, it is there and not active.
  const { seq: stored } = unwrap(await client.add("gw07-draft", { body: "draft" }));
  for (const reply of [
    await client.render("gw07-draft", { minSeq: stored }),
    await client.get("gw07-draft", { minSeq: stored }),
  ])
    expect(reply).toMatchObject({ ok: false, problem: { code: "not_active", status: 404 } });
});

it("GW-14 the body can be read before it is rendered, as it will be used", async () => {
  const body = "Dear {name},\r\n  {{not a tag}} \\{literal}\t\u00e4\ud83c\udf0d\n\n";
  unwrap(await client.add("gw14", { body: "older {name}", syntax: "slots", activate: true }));
  const { seq, hash } = unwrap(await client.add("gw14", { body, activate: true }));
  const read = unwrap(await agent.get("gw14", { minSeq: seq }));
  expect(read).toMatchObject({ version: 2, body, hash, syntax: "slots", labels: ["production"] });
  const rendered = unwrap(
    await agent.render(`gw14@${read.version}`, { context: { name: "Ada" }, minSeq: seq }),
  );
  expect(rendered.text).toBe(body.replace("{name}", "Ada").replace("\\{", "{"));
  expect(unwrap(await agent.get("gw14@1")).body).toBe("older {name}");
});
