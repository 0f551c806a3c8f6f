import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createMemoryLog, type EventLog, type Logger } from "@incipit/bus";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startOn } from "../../testing/registry.ts";

let root: string;
let errors: string[];
const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, message) => void errors.push(`${message} ${JSON.stringify(fields)}`),
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "incipit-seeds-"));
  errors = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const seeds = (...folders: string[]) => ({ seeds: folders.map((name) => join(root, name)), logger });

test("a fresh log serves the seeds, partials included, in whatever order the files come", async () => {
  write("base/a.md", "{{> _partials/one}} and more");
  write("base/_partials/one.hbs", "{{> _partials/two}}");
  write("base/_partials/two.hbs", "two");
  const { log } = createMemoryLog();
  const registry = await startOn(log, seeds("base"));
  expect(await registry.query("get", "a")).toMatchObject({ version: 0, source: "seed", actor: "incipit" });
  expect(await registry.query("list", undefined)).toMatchObject({ total: 3 });
  expect(errors).toEqual([]);
  await registry.stop();
});

test("a restart appends nothing; an upgrade appends what changed, and leaves an active version alone", async () => {
  write("base/a.md", "one");
  write("base/b.md", "one");
  const { log } = createMemoryLog();
  const first = await startOn(log, seeds("base"));
  await first.command("add", "b", { body: "mine", activate: true });
  await first.stop();
  const second = await startOn(log, seeds("base"));
  await second.stop();
  expect((await log.info()).lastSeq).toBe(4);
  write("base/a.md", "two");
  write("base/b.md", "---\ntags: [t]\n---\none");
  const third = await startOn(log, seeds("base"));
  expect((await log.info()).lastSeq).toBe(6);
  expect(await third.query("get", "a")).toMatchObject({ version: 0, body: "two" });
  expect(await third.query("get", "b")).toMatchObject({ version: 1, body: "mine" });
  expect(await third.query("get", "b", { version: 0 })).toMatchObject({ tags: ["t"] });
  await third.stop();
});

test("a later folder wins per key", async () => {
  write("base/a.md", "base");
  write("base/b.md", "base");
  write("custom/a.txt", "custom");
  const { log } = createMemoryLog();
  const registry = await startOn(log, seeds("base", "custom"));
  expect(await registry.query("get", "a")).toMatchObject({ body: "custom" });
  expect(await registry.query("get", "b")).toMatchObject({ body: "base" });
  expect((await log.info()).lastSeq).toBe(2);
  await registry.stop();
});

test("bad seeds are logged by name and skipped, and so is a folder that is not there", async () => {
  write("base/good.md", "x");
  write("base/broken.md", "{{#if x}}");
  write("base/GOOD.md", "twin");
  write("base/lonely.md", "{{> nowhere}}");
  write("base/two words.md", "x");
  write("base/blank.md", "\n");
  symlinkSync("/etc/hostname", join(root, "base/link.md"));
  const { log } = createMemoryLog();
  const registry = await startOn(log, seeds("absent", "base"));
  const { total } = await registry.query("list", undefined);
  expect(total).toBe(1);
  for (const name of ["absent", "broken", "lonely", "two words", "blank", "link.md"])
    expect(errors.filter((line) => line.includes(name))).toHaveLength(1);
  await registry.stop();
});

test("the report says how many seeds the log holds, and how many were refused", async () => {
  write("base/a.md", "x");
  write("base/b.md", "x");
  write("base/lonely.md", "{{> nowhere}}");
  const reports: unknown[] = [];
  const told = {
    ...logger,
    info: (fields: object, message: string) => void (message.includes("seeds") && reports.push(fields)),
  };
  const { log } = createMemoryLog();
  for (let start = 0; start < 2; start++)
    await (await startOn(log, { ...seeds("base"), logger: told })).stop();
  const report = { settled: 2, skipped: 1, waiting: 0 };
  expect(reports).toEqual([report, report]);
});

test("in an outage the seeds wait, and the start takes as long as one of them", async () => {
  for (let i = 0; i < 20; i++) write(`base/k${i}.md`, `seed ${i}`);
  const { log } = createMemoryLog();
  let asked = 0;
  const silent: EventLog = {
    ...log,
    append: async () => {
      asked++;
      return { outcome: "unknown", cause: new Error("no acknowledgement came") };
    },
  };
  const reports: unknown[] = [];
  const told = {
    ...logger,
    info: (fields: object, message: string) => void (message.includes("seeds") && reports.push(fields)),
  };
  const started = performance.now();
  const registry = await startOn(silent, { ...seeds("base"), logger: told, patienceMs: 300 });
  expect(performance.now() - started).toBeLessThan(20 * 300);
  expect(asked).toBeGreaterThan(0);
  expect(reports).toEqual([{ settled: 0, skipped: 0, waiting: 20 }]);
  expect(errors).toEqual([]);
  await registry.stop();
});

test("one odd file costs its folder no other seed: a name that is no text, front matter that holds itself, a config too deep", async () => {
  write("base/good.md", "x");
  write("base/cycle.md", "---\nconfig: &a {x: [*a]}\n---\nx");
  write("base/deep.md", `---\nconfig: ${"{a: ".repeat(150)}1${"}".repeat(150)}\n---\nx`);
  writeFileSync(
    Buffer.concat([Buffer.from(`${join(root, "base")}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]),
    "x",
  );
  const { log } = createMemoryLog();
  const registry = await startOn(log, seeds("base"));
  expect(await registry.query("list", undefined)).toMatchObject({ total: 1, items: [{ key: "good" }] });
  expect(errors).toHaveLength(3);
  for (const name of ["cycle.md", "deep.md", "not UTF-8"])
    expect(errors.filter((line) => line.includes(name))).toHaveLength(1);
  await registry.stop();
});

test("several instances that start at once append each seed once", async () => {
  for (let i = 0; i < 20; i++) write(`base/k${i}.md`, `seed ${i}`);
  const { log } = createMemoryLog();
  const registries = await Promise.all(Array.from({ length: 4 }, () => startOn(log, seeds("base"))));
  expect((await log.info()).lastSeq).toBe(20);
  expect(errors).toEqual([]);
  await Promise.all(registries.map((registry) => registry.stop()));
});
