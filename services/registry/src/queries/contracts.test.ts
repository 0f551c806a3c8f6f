import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { subjects } from "../../testing/records.ts";
import { startAlone, type TestRegistry } from "../../testing/registry.ts";

const text = { type: "string", description: "d" };
const document = { type: "object", properties: { name: text, nick: text }, required: ["name"] };

let registry: TestRegistry;
const ask = (verb: string, key?: string, body: object = {}) => registry.query(verb, key, body);

beforeAll(async () => {
  ({ registry } = await startAlone());
  await registry.command("publish", "triage", { document, note: "first" });
  await registry.command("publish", "triage", {
    document: { ...document, properties: { ...document.properties, lang: text } },
  });
  await registry.command("publish", "other", { document });
});
afterAll(() => registry.stop());

describe("contract", () => {
  test("is the newest version, or the one named, as published", async () => {
    expect(await ask("contract", "triage", { version: 1 })).toMatchObject({
      name: "triage",
      version: 1,
      document,
      note: "first",
      actor: "alice",
      seq: 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await ask("contract", "triage")).toMatchObject({ version: 2 });
  });

  test("that is not there, or has no such version", async () => {
    expect(await registry.refused(subjects.query("contract", "nope"), {})).toBe("contract_not_found");
    expect(await registry.refused(subjects.query("contract", "triage"), { version: 9 })).toBe(
      "version_not_found",
    );
    expect(await registry.refused(subjects.query("contract"), {})).toBe("bad_request");
    expect(await registry.refused(subjects.query("reference", "nope"), {})).toBe("contract_not_found");
  });
});

test("contracts lists the newest of each, by name", async () => {
  expect((await ask("contracts"))["items"]).toMatchObject([
    { name: "other", version: 1 },
    { name: "triage", version: 2 },
  ]);
});

test("contracts come page by page", async () => {
  const first = await ask("contracts", undefined, { limit: 1 });
  expect(first).toMatchObject({ items: [{ name: "other" }], after: "other" });
  const second = await ask("contracts", undefined, { limit: 1, after: "other" });
  expect(second).toMatchObject({ items: [{ name: "triage" }] });
  expect(await registry.refused(subjects.query("contracts"), { limit: 0 })).toBe("bad_request");
});

test("reference is Markdown for authors", async () => {
  const { markdown, version } = await ask("reference", "triage");
  expect(version).toBe(2);
  expect(markdown).toMatch(/^# triage, version 2\n/);
  expect(markdown).toContain("| `lang` | string | may be absent");
});

describe("check", () => {
  test("says what add would say, and stores nothing", async () => {
    const before = await ask("status");
    const body = "{{name}} {{nick}}";
    expect(await ask("check", "a/b", { body, contract: "triage" })).toMatchObject({
      findings: [{ code: "null_printed", line: 1, column: 12, witness: { context: { name: "" } } }],
      warnings: [],
      variables: ["name", "nick"],
    });
    expect(await ask("check", undefined, { body })).toEqual({
      findings: [],
      warnings: [],
      variables: ["name", "nick"],
    });
    expect(await ask("check", undefined, { body: "{{#if}}" })).toMatchObject({
      findings: [{ line: 1 }],
      variables: [],
    });
    expect(
      await ask("check", undefined, { body: "{name}", syntax: "slots", contract: "triage" }),
    ).toMatchObject({
      findings: [],
      variables: ["name"],
    });
    expect((await ask("status"))["seq"]).toBe(before["seq"]);
  });

  test("lists no more variables than a message takes, however long their paths are", async () => {
    const nest = (depth: number, body: string): string =>
      depth === 0 ? body : `{{#each ${"v".repeat(60)}}}${nest(depth - 1, body)}{{/each}}`;
    const leaves = Array.from({ length: 5_000 }, (_, i) => `{{x${i}}}`).join("");
    const { variables } = await ask("check", undefined, { body: nest(30, leaves) });
    expect(JSON.stringify(variables).length).toBeLessThan(300_000);
    expect(variables).toContain("v".repeat(60));
  });

  test("of an unknown contract is refused", async () => {
    const subject = subjects.query("check", "a");
    expect(await registry.refused(subject, { body: "x", contract: "nope" })).toBe("contract_not_found");
    expect(await registry.refused(subject, {})).toBe("bad_request");
  });
});

describe("publish over the bus", () => {
  test.each<[object, string]>([
    [{}, "bad_request"],
    [{ document: [] }, "bad_request"],
    [{ document: { type: "object", properties: { a: { type: "string" } } } }, "bad_request"],
    [{ document: { type: "object", properties: { nick: text }, required: [] } }, "contract_narrowed"],
    [{ document, commandId: "" }, "bad_request"],
    [{ document, expectVersion: 7 }, "conflict"],
  ])("%j is %s", async (body, code) => {
    expect(await registry.refused(subjects.command("alice", "publish", "triage"), body)).toBe(code);
  });

  test("a name with a slash is none", async () => {
    expect(await registry.refused(subjects.command("alice", "publish", "a/b"), { document })).toBe(
      "bad_request",
    );
  });

  test("stands in the log like every command, and is rebuilt from it", async () => {
    const { seq, version } = await registry.command("publish", "again", { document, commandId: "once" });
    expect(await registry.command("publish", "again", { document, commandId: "once" })).toMatchObject({
      seq,
      version,
    });
  });
});
