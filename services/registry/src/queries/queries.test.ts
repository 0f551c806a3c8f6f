import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activated, added, createRecords, deactivated, subjects } from "../../testing/records.ts";
import { startOn, type TestRegistry } from "../../testing/registry.ts";
import { createMemoryLog } from "@incipit/bus";

let registry: TestRegistry;
const ask = (verb: string, key?: string, body: object = {}) => registry.query(verb, key, body);
const refused = (verb: string, key: string | undefined, body: unknown) =>
  registry.refused(subjects.query(verb, key), body);
const numbers = (reply: Record<string, unknown>) =>
  (reply["items"] as { version: number }[]).map(({ version }) => version);
const keys = (reply: Record<string, unknown>) => (reply["items"] as { key: string }[]).map(({ key }) => key);

beforeAll(async () => {
  const { log, controls } = createMemoryLog();
  const records = createRecords();
  for (let version = 1; version <= 7; version++) records.push(added("many", version, `body ${version}`));
  records.push(activated("many", 3));
  records.push(activated("many", 3, "staging"));
  records.push(activated("many", 5, "production", 3));
  records.push(deactivated("many", 3, "staging"));
  records.push(added("seeded", 0, "seed", { tags: ["t"] }));
  records.push(added("Upper", 1, "x", { kind: "partial" }));
  records.push(added("under/_x", 1, "x", { tags: ["t", "u"] }));
  records.push(activated("under/_x", 1, "staging"));
  for (const { subject, payload } of records.records) controls.write(subject, payload);
  registry = await startOn(log);
});
afterAll(() => registry.stop());

describe("get", () => {
  test("without a label is what production points at", async () => {
    expect(await ask("get", "many")).toMatchObject({ version: 5, body: "body 5", labels: ["production"] });
  });

  test("by version, by label, and the seed where nothing is active under production", async () => {
    expect(await ask("get", "many", { version: 3 })).toMatchObject({ version: 3, labels: [] });
    expect(await ask("get", "under/_x", { label: "staging" })).toMatchObject({
      version: 1,
      labels: ["staging"],
    });
    expect(await ask("get", "seeded")).toMatchObject({ version: 0, source: "seed", labels: [] });
    expect(await ask("get", "seeded", { version: 0 })).toMatchObject({ version: 0 });
  });

  test.each([
    ["nope", {}, "key_not_found"],
    ["many", { version: 8 }, "version_not_found"],
    ["many", { version: 0 }, "version_not_found"],
    ["Upper", {}, "not_active"],
    ["seeded", { label: "staging" }, "not_active"],
    ["many", { version: 1, label: "staging" }, "bad_request"],
    ["many", { version: -1 }, "bad_request"],
    ["many", { vesrion: 1 }, "bad_request"],
    ["many", [], "bad_request"],
  ])("%s with %j is %s", async (key, body, code) => {
    expect(await refused("get", key, body)).toBe(code);
  });
});

describe("versions", () => {
  test("come highest first, with both cursors null where nothing follows", async () => {
    const page = await ask("versions", "many");
    expect(numbers(page)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(page).toMatchObject({ total: 7, before: null, after: null });
    expect(page["items"]).toMatchObject([{ bytes: 6 }, {}, { labels: ["production"] }, {}, {}, {}, {}]);
    expect(JSON.stringify(page)).not.toContain("body 7");
  });

  test("page down with before and up with after", async () => {
    const first = await ask("versions", "many", { limit: 3 });
    expect([numbers(first), first["before"], first["after"]]).toEqual([[7, 6, 5], 5, null]);
    const second = await ask("versions", "many", { limit: 3, before: 5 });
    expect([numbers(second), second["before"], second["after"]]).toEqual([[4, 3, 2], 2, 4]);
    const last = await ask("versions", "many", { limit: 3, before: 2 });
    expect([numbers(last), last["before"], last["after"]]).toEqual([[1], null, 1]);
    const up = await ask("versions", "many", { limit: 2, after: 4 });
    expect([numbers(up), up["before"], up["after"]]).toEqual([[6, 5], 5, 6]);
    expect(numbers(await ask("versions", "many", { before: 1 }))).toEqual([]);
    expect(await ask("versions", "many", { before: 1 })).toMatchObject({ before: null, after: null });
  });

  test("do not list seeds", async () => {
    expect(await ask("versions", "seeded")).toMatchObject({ items: [], total: 0 });
  });

  test.each([
    ["many", { limit: 0 }, "bad_request"],
    ["many", { limit: 201 }, "bad_request"],
    ["many", { limit: "50" }, "bad_request"],
    ["many", { before: 3, after: 1 }, "bad_request"],
    ["many", { before: 8 }, "version_not_found"],
    ["many", { after: 0 }, "version_not_found"],
    ["seeded", { before: 0 }, "version_not_found"],
    ["nope", {}, "key_not_found"],
  ])("%s with %j is %s", async (key, body, code) => {
    expect(await refused("versions", key, body)).toBe(code);
  });
});

describe("activations", () => {
  test("come newest first, and null is a label taken away", async () => {
    expect((await ask("activations", "many"))["items"]).toMatchObject([
      { label: "staging", version: null, previous: 3, seq: 11 },
      { label: "production", version: 5, previous: 3, seq: 10 },
      { label: "staging", version: 3, previous: null, seq: 9 },
      { label: "production", version: 3, previous: null, seq: 8 },
    ]);
  });

  test("page by position, under one label if asked", async () => {
    const page = await ask("activations", "many", { label: "production", limit: 1 });
    expect([numbers(page), page["before"]]).toEqual([[5], 10]);
    const next = await ask("activations", "many", { label: "production", limit: 1, before: 10 });
    expect([numbers(next), next["before"]]).toEqual([[3], null]);
    expect(await refused("activations", "nope", {})).toBe("key_not_found");
  });
});

describe("list", () => {
  test("holds every key in order of its code units", async () => {
    const page = await ask("list");
    expect(keys(page)).toEqual(["Upper", "many", "seeded", "under/_x"]);
    expect(page["items"]).toMatchObject([
      { kind: "partial", active: null, newest: 1, seed: false, labels: {} },
      { active: 5, newest: 7, labels: { production: 5 } },
      { active: null, newest: null, seed: true, tags: ["t"] },
      { active: null, newest: 1, labels: { staging: 1 }, tags: ["t", "u"] },
    ]);
  });

  test.each([
    [{ prefix: "un" }, ["under/_x"]],
    [{ prefix: "under/%" }, []],
    [{ tag: "t" }, ["seeded", "under/_x"]],
    [{ tag: "u", prefix: "s" }, []],
    [{ kind: "partial" }, ["Upper"]],
    [{ label: "production" }, ["many"]],
    [{ label: "staging" }, ["under/_x"]],
    [{ contract: "c" }, []],
    [{ after: "many" }, ["seeded", "under/_x"]],
    [{ after: "n" }, ["seeded", "under/_x"]],
  ])("filtered by %j", async (filter, expected) => {
    expect(keys(await ask("list", undefined, filter))).toEqual(expected);
  });

  test("pages, and counts everything that matches", async () => {
    const page = await ask("list", undefined, { limit: 3 });
    expect(page).toMatchObject({ total: 4, after: "seeded" });
    expect(await ask("list", undefined, { limit: 3, after: "seeded" })).toMatchObject({
      total: 4,
      after: null,
    });
  });
});

describe("every query", () => {
  test("waits for minSeq, and says so if it does not come in time", async () => {
    expect(await ask("get", "many", { minSeq: 15 })).toMatchObject({ version: 5 });
    for (const [verb, key] of [
      ["get", "many"],
      ["versions", "many"],
      ["activations", "many"],
      ["list"],
      ["status"],
    ] as const)
      expect(await refused(verb, key, { minSeq: 16, timeoutMs: 10 })).toBe("not_caught_up");
  });

  test.each([
    ["prompt.query.nonsense", "bad_request"],
    ["prompt.query.get", "bad_request"],
    ["prompt.query.get.a..b", "bad_key"],
    ["prompt.query.get.a/b", "bad_key"],
    ["prompt.query.list.many", "bad_request"],
    ["prompt.query.status.many", "bad_request"],
    ["prompt.cmd.alice.nonsense.many", "bad_request"],
    ["prompt.cmd.alice.add", "bad_key"],
    ["prompt.cmd.al ice.add.many", "bad_request"],
    ["prompt.cmd.alice.add.many", "bad_request"],
    ["prompt.cmd.alice.activate.many", "bad_request"],
  ])("%s with an empty payload is %s", async (subject, code) => {
    expect(await registry.refused(subject, {})).toBe(code);
  });

  test.each([
    ["add", { body: "x", activate: true }, "activate"],
    ["add", { body: "x", activate: "staging", dryRun: true }, "activate"],
    ["add", { body: "x", expectActive: null }, "expectActive"],
    ["add-activate", { body: "x" }, "activate"],
  ])("%s with %j is refused: permissions see the verb alone", async (verb, body, path) => {
    const problem = await registry.refusal(`prompt.cmd.alice.${verb}.many`, body);
    expect(problem).toMatchObject({ code: "bad_request", path });
    expect(problem.message).toContain("add-activate");
  });

  test("half of a surrogate pair is refused, since it could not be stored as it was sent", async () => {
    expect(await registry.refused("prompt.cmd.alice.add.a", { body: "x\ud800" })).toBe("bad_request");
    expect(await registry.refused("prompt.cmd.alice.add.a", { body: "x", config: { "\udc00": 1 } })).toBe(
      "bad_request",
    );
  });

  test("status counts", async () => {
    expect(await ask("status")).toMatchObject({
      instance: "test",
      stream: "PROMPTS",
      seq: 15,
      lag: 0,
      chain: { index: 15 },
      counts: { keys: 4, versions: 9, seeds: 1, activations: 5 },
      rejected: { count: 0, latest: [] },
      newerThanUs: null,
    });
  });
});
