import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryLog, type EventLog, type Logger } from "@incipit/bus";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { subjects } from "../../testing/records.ts";
import { dump, startOn, type TestRegistry } from "../../testing/registry.ts";
import { projectionOptions } from "../../testing/scenario.ts";
import { openProjection } from "./projection.ts";

let folder: string;
let db: string;
let logged: string[];
const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  error: (fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`),
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-store-"));
  db = join(folder, "registry.db");
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function filledLog(): Promise<{
  log: EventLog;
  controls: ReturnType<typeof createMemoryLog>["controls"];
}> {
  const { log, controls } = createMemoryLog();
  const registry = await startOn(log, { db, logger });
  await registry.command("add", "_partials/p", { body: "P", kind: "partial", activate: true });
  await registry.command("add", "a", {
    body: "x\ty\r\n{{> _partials/p}} ä €",
    tags: ["t"],
    config: { b: 1, a: [2] },
  });
  await registry.command("activate", "a", { version: 1, note: "go\u0000on" });
  await registry.command("activate", "a", { version: 1, label: "staging" });
  controls.write("prompt.log.now.seed.a", new TextEncoder().encode("not ours"));
  await registry.command("add", "a", { body: "second" });
  await registry.command("deactivate", "a", { label: "staging" });
  await registry.stop();
  logged = [];
  return { log, controls };
}

async function answersOf(log: EventLog): Promise<string> {
  const registry = await startOn(log, { db, logger });
  try {
    return await dump(registry);
  } finally {
    await registry.stop();
  }
}

describe("a restart", () => {
  test("goes on from the checkpoint, and answers what it did before", async () => {
    const { log } = await filledLog();
    const before = await answersOf(log);
    expect(await answersOf(log)).toBe(before);
    expect(logged).toEqual([]);
  });

  test("after the file was deleted gives byte-identical answers", async () => {
    const { log } = await filledLog();
    const before = await answersOf(log);
    rmSync(db);
    expect(await answersOf(log)).toBe(before);
  });

  test("catches up with what was appended meanwhile", async () => {
    const { log } = await filledLog();
    const other = await startOn(log);
    await other.command("add", "a", { body: "third" });
    const expected = await dump(other);
    await other.stop();
    expect(await answersOf(log)).toBe(expected);
  });
});

describe("a file that does not fit the log is rebuilt, loudly", () => {
  const rebuilt = () => logged.filter((line) => line.startsWith("REBUILDING"));

  test("the log was made anew", async () => {
    await filledLog();
    const { log } = createMemoryLog();
    const registry = await startOn(log, { db, logger });
    expect(await registry.query("list", undefined)).toMatchObject({ total: 0 });
    expect(await registry.command("add", "a", { body: "x" })).toMatchObject({ version: 1, seq: 1 });
    await registry.stop();
    expect(rebuilt()).toHaveLength(1);
  });

  test.each<[string, (database: Database.Instance) => void, RegExp]>([
    ["another version", (file) => void file.pragma("user_version = 99"), /version 99/],
    [
      "another head",
      (file) => file.exec(`UPDATE checkpoint SET chain_head = '${"0".repeat(64)}'`),
      /another message/,
    ],
    ["beyond the end", (file) => file.exec("UPDATE checkpoint SET seq = 1000"), /beyond the end/],
    ["other rules", (file) => file.exec("UPDATE checkpoint SET admission = 'other'"), /verification keys/],
    [
      "an event it has learnt since",
      (file) => file.exec("UPDATE checkpoint SET newer_seq = 1, newer_type = 'TemplateAdded', newer_v = 1"),
      /this release knows/,
    ],
  ])("%s", async (_, change, reason) => {
    const { log } = await filledLog();
    const before = await answersOf(log);
    const file = new Database(db);
    change(file);
    file.close();
    expect(await answersOf(log)).toBe(before);
    expect(rebuilt()).toHaveLength(1);
    expect(rebuilt()[0]).toMatch(reason);
    expect(existsSync(`${db}.rebuild`)).toBe(false);
  });

  test("something that is no database; it is kept aside", async () => {
    const { log } = await filledLog();
    const before = await answersOf(log);
    for (const suffix of ["-wal", "-shm"]) rmSync(db + suffix, { force: true });
    writeFileSync(db, "a text of some length that is no database at all, and that somebody may want to keep");
    expect(await answersOf(log)).toBe(before);
    expect(rebuilt()[0]).toMatch(/damaged/);
    expect(readFileSync(`${db}.set-aside`, "utf8")).toMatch(/somebody may want to keep/);
  });

  test("a database of something else; it is kept aside", async () => {
    const other = new Database(db);
    other.exec("CREATE TABLE precious (x)");
    other.close();
    const { log } = createMemoryLog();
    const answers = JSON.parse(await answersOf(log)) as unknown[];
    expect([answers[0], answers.at(-1)]).toMatchObject([{ total: 0 }, { seq: 0 }]);
    expect(rebuilt()[0]).toMatch(/something else/);
    expect(existsSync(`${db}.set-aside`)).toBe(true);
  });
});

/** Writes over a file in place, from a byte on: the file stays the same one to whoever has it open. */
function overwrite(path: string, from: number) {
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(statSync(path).size - from).fill(0xaa), 0, undefined, from);
  closeSync(file);
}

test("a file that is damaged behind its first page is rebuilt at the start", async () => {
  const { log } = await filledLog();
  const before = await answersOf(log);
  overwrite(db, 4096);
  expect(await answersOf(log)).toBe(before);
  expect(logged.filter((line) => line.startsWith("REBUILDING"))).toHaveLength(1);
  expect(existsSync(`${db}.set-aside`)).toBe(true);
  logged = [];
  expect(await answersOf(log)).toBe(before);
  expect(logged).toEqual([]);
});

describe("a file that is damaged while it is in use is rebuilt once, whatever finds out", () => {
  const body = "long enough to be on pages of its own ".repeat(200);
  const spoil: [string, () => void][] = [
    ["cut off", () => truncateSync(db, 0)],
    ["overwritten", () => overwrite(db, 0)],
  ];
  const finders: [string, (registry: TestRegistry) => Promise<unknown>][] = [
    ["a query", (registry) => registry.call(subjects.query("get", "k7"), {})],
    ["a command", (registry) => registry.tryCommand("add", "k7", { body: "new" })],
  ];
  test.each(spoil.flatMap(([how, act]) => finders.map(([by, find]) => [how, by, act, find] as const)))(
    "%s, found by %s",
    async (_, __, act, find) => {
      const { log } = createMemoryLog();
      const first = await startOn(log, { db, logger });
      for (let at = 0; at < 40; at++)
        await first.command("add", `k${at}`, { body: `${body}${at}`, activate: true });
      const before = await dump(first);
      await first.stop();
      // Opened anew, little of the file is in memory.
      const registry = await startOn(log, { db, logger });
      logged = [];
      act();
      expect(await find(registry)).toMatchObject({ ok: false, problem: { code: "unavailable" } });
      expect(registry.readiness().ready).toBe(false);
      expect(await registry.refused(subjects.query("list", undefined), {})).toBe("unavailable");
      await vi.waitUntil(() => registry.readiness().ready, { timeout: 5_000 });
      expect(await dump(registry)).toBe(before);
      expect(await registry.command("add", "k7", { body: "after" })).toMatchObject({ version: 2 });
      await registry.stop();
      expect(logged.filter((line) => line.startsWith("REBUILDING"))).toHaveLength(1);
      expect(existsSync(`${db}.set-aside`)).toBe(true);
    },
  );
});

test("a log that is made anew while running is followed from its start", async () => {
  const { log, controls } = createMemoryLog();
  const registry = await startOn(log, { db, logger });
  await registry.command("add", "a", { body: "x" });
  controls.reset();
  expect(await registry.command("add", "b", { body: "y" })).toMatchObject({ version: 1, seq: 1 });
  expect(await registry.query("list", undefined)).toMatchObject({ total: 1, items: [{ key: "b" }] });
  await registry.stop();
});

test("a file that another process holds is an error that says what to do", async () => {
  const opened = openProjection(db, projectionOptions);
  const { log } = createMemoryLog();
  const error = await startOn(log, { db, logger }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: "ProjectionLockedError" });
  expect(String(error)).toMatch(/INCIPIT_DB/);
  if (opened.ok) opened.projection.close();
});
