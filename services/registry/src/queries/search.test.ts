import { createMemoryLog } from "@incipit/bus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activated, added, createRecords, deactivated, subjects } from "../../testing/records.ts";
import { startOn, type TestRegistry } from "../../testing/registry.ts";

type Item = { key: string; match: { field: string; snippet: string; ranges: [number, number][] } };

let registry: TestRegistry;
const search = async (q: string, filter: object = {}) => {
  const reply = await registry.query("list", undefined, { q, ...filter });
  return reply as { items: Item[]; total: number; after: string | null };
};
const found = async (q: string, filter: object = {}) => (await search(q, filter)).items.map(({ key }) => key);
const marked = ({ match: { snippet, ranges } }: Item) =>
  ranges.map(([start, end]) => snippet.slice(start, end));

beforeAll(async () => {
  const { log, controls } = createMemoryLog();
  const history = createRecords();
  history.push(added("support/triage", 1, "Sort what customers write.\nBe brief.", { tags: ["Inbox zero"] }));
  history.push(added("support/reply", 1, "Answer the customer; triage is done already."));
  history.push(added("legal/nda", 1, "Überprüfe die Geheimhaltungsvereinbarung 守秘義務 naïve café."));
  history.push(added("drafts/moved", 1, "an old wording with zebras"));
  history.push(activated("drafts/moved", 1));
  history.push(added("drafts/moved", 2, "a new wording with giraffes"));
  history.push(added("gone", 1, "the first platypus"));
  history.push(activated("gone", 1));
  history.push(added("gone", 2, "the second wombat"));
  history.push(deactivated("gone", 1));
  history.push(added("seeded", 0, "seed about quokkas"));
  history.push(added("seeded", 0, "seed about numbats"));
  for (let n = 0; n < 30; n++)
    history.push(added(`many/m${String(n).padStart(2, "0")}`, 1, "the same words everywhere"));
  for (const { subject, payload } of history.records) controls.write(subject, payload);
  registry = await startOn(log);
});
afterAll(() => registry.stop());

describe("a search", () => {
  test("looks in key, tags, note and body, and puts a match in the key before one in the body", async () => {
    expect(await found("triage")).toEqual(["support/triage", "support/reply"]);
    expect(await found("inbox")).toEqual(["support/triage"]);
    expect((await search("inbox")).items[0]?.match).toMatchObject({ field: "tags", snippet: "Inbox zero" });
  });

  test("shows the text around, and where in it the words stand", async () => {
    const [item] = (await search("customer triage")).items;
    expect(item?.match).toMatchObject({
      field: "body",
      snippet: "Answer the customer; triage is done already.",
    });
    expect(item && marked(item)).toEqual(["customer", "triage"]);
  });

  test("shows of each key its own text", async () => {
    const { items } = await search("triage");
    expect(items.map(({ match: { field, snippet } }) => [field, snippet])).toEqual([
      ["key", "support/triage"],
      ["body", "Answer the customer; triage is done already."],
    ]);
  });

  test("wants every word, whole, whatever its case and accents", async () => {
    expect(await found("customer nothing")).toEqual([]);
    expect(await found("custom")).toEqual([]);
    expect(await found("CUSTOMER")).toEqual(["support/reply"]);
    expect(await found("uberprufe naive cafe")).toEqual(["legal/nda"]);
    expect(await found("守秘義務")).toEqual(["legal/nda"]);
  });

  test("finds beginnings and phrases where they are asked for", async () => {
    expect(await found("custom*")).toEqual(["support/reply", "support/triage"]);
    expect(await found('"customers write"')).toEqual(["support/triage"]);
    expect(await found('"write customers"')).toEqual([]);
    expect(await found("support/triage")).toEqual(["support/triage"]);
  });

  test("finds what a key serves, and nothing that it served before", async () => {
    expect(await found("zebras")).toEqual(["drafts/moved"]);
    expect(await found("giraffes")).toEqual([]);
    expect([await found("platypus"), await found("wombat")]).toEqual([[], ["gone"]]);
    expect([await found("quokkas"), await found("numbats")]).toEqual([[], ["seeded"]]);
  });

  test("goes together with the filters", async () => {
    expect(await found("triage", { prefix: "support/r" })).toEqual(["support/reply"]);
    expect(await found("triage", { tag: "Inbox zero" })).toEqual(["support/triage"]);
    expect(await found("wording", { label: "production" })).toEqual(["drafts/moved"]);
    expect(await found("wording", { kind: "partial" })).toEqual([]);
  });

  test("pages through equal matches, each once", async () => {
    const all = [];
    for (let after: string | null | undefined; after !== null;) {
      const page = await search("same words", { limit: 7, ...(after !== undefined && { after }) });
      expect(page.total).toBe(30);
      all.push(...page.items.map(({ key }) => key));
      ({ after } = page);
    }
    expect(all).toEqual(Array.from({ length: 30 }, (_, n) => `many/m${String(n).padStart(2, "0")}`));
  });

  test.each([
    [{ q: "***" }, /q: "\*\*\*" holds no word/],
    [{ q: "x".repeat(501) }, /q/],
    [{ q: "triage", after: "legal/nda" }, /after: q does not find legal\/nda/],
    [{ q: "triage", after: "nope" }, /begin at the first page/],
  ])("of %j is refused", async (payload, message) => {
    expect(await registry.refusal(subjects.query("list"), payload)).toMatchObject({
      code: "bad_request",
      message: expect.stringMatching(message) as string,
    });
  });

  test("takes marks of its own in a text for text", async () => {
    const { log, controls } = createMemoryLog();
    const history = createRecords();
    history.push(added("odd", 1, "\u{FDD1}before\u{FDD0} word \u{FDD0}\u{FDD1} after"));
    for (const { subject, payload } of history.records) controls.write(subject, payload);
    const odd = await startOn(log);
    const { items } = (await odd.query("list", undefined, { q: "word" })) as { items: Item[] };
    expect(items[0] && marked(items[0])).toContain("word");
    await odd.stop();
  });
});
