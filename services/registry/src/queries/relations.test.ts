import { createMemoryLog } from "@incipit/bus";
import type { PromptEvent } from "@incipit/events";
import { afterEach, describe, expect, test } from "vitest";
import { activated, added, createRecords, subjects } from "../../testing/records.ts";
import { startOn, type TestRegistry } from "../../testing/registry.ts";

let registry: TestRegistry;
afterEach(() => registry.stop());

async function registryOf(...events: PromptEvent[]) {
  const { log, controls } = createMemoryLog();
  const history = createRecords();
  for (const event of events) history.push(event);
  for (const { subject, payload } of history.records) controls.write(subject, payload);
  registry = await startOn(log);
}

const partial = { kind: "partial" } as const;

describe("diff", () => {
  const diff = (payload: object) => registry.query("diff", "a", payload);

  test("shows what changed in the body and in the settings, between versions, labels and the seed", async () => {
    await registryOf(
      added("a", 0, "seed\n"),
      added("a", 1, "one\nsame\n"),
      added("a", 2, "two\nsame\n", { tags: ["t"] }),
      activated("a", 1),
      activated("a", 2, "staging"),
    );
    const reply = await diff({ from: "production", to: "staging" });
    expect(reply).toMatchObject({
      key: "a",
      from: { version: 1, label: "production" },
      to: { version: 2, label: "staging" },
      body: "--- a@1\n+++ a@2\n@@ -1,2 +1,2 @@\n-one\n+two\n same\n",
    });
    expect(reply["settings"]).toMatch(/-  "tags": \[\]\n\+  "tags": \[\n\+    "t"\n\+  \]\n/);
    expect(await diff({ from: 2, to: 2 })).toMatchObject({ body: "", settings: "" });
    expect(await diff({ from: 0, to: 1 })).toMatchObject({ from: { version: 0, label: null } });
  });

  test("of what is not there says which side it is", async () => {
    await registryOf(added("a", 1, "x"));
    const refusal = (payload: object) => registry.refusal(subjects.query("diff", "a"), payload);
    expect(await refusal({ from: 1, to: 7 })).toMatchObject({ code: "version_not_found", version: 7 });
    expect(await refusal({ from: 1, to: "staging" })).toMatchObject({ code: "not_active" });
    expect(await refusal({ from: 1 })).toMatchObject({ code: "bad_request", path: "to" });
    expect(await refusal({ from: 1, to: "Not a label" })).toMatchObject({ code: "bad_request", path: "to" });
    expect(await registry.refused(subjects.query("diff", "b"), { from: 1, to: 2 })).toBe("key_not_found");
  });
});

describe("dependents", () => {
  const dependents = (key: string, payload: object = {}) => registry.query("dependents", key, payload);

  test("are what includes the key, directly and through others, with the shortest way", async () => {
    await registryOf(
      added("_partials/base", 1, "x", partial),
      added("_partials/mid", 1, "{{> _partials/base}}", partial),
      added("far", 1, "{{> _partials/mid}}"),
      added("near", 1, "{{> _partials/mid}}{{> _partials/base}}"),
      added("other", 1, "nothing"),
      activated("near", 1),
    );
    expect(await dependents("_partials/base")).toEqual({
      key: "_partials/base",
      items: [
        {
          key: "_partials/mid",
          versions: [{ version: 1, labels: [], live: false }],
          path: ["_partials/mid", "_partials/base"],
        },
        {
          key: "far",
          versions: [{ version: 1, labels: [], live: false }],
          path: ["far", "_partials/mid", "_partials/base"],
        },
        {
          key: "near",
          versions: [{ version: 1, labels: ["production"], live: true }],
          path: ["near", "_partials/base"],
        },
      ],
      total: 3,
      after: null,
    });
    const page = await dependents("_partials/base", { limit: 2 });
    expect(page).toMatchObject({ total: 3, after: "far" });
    expect(await dependents("_partials/base", { after: "far" })).toMatchObject({ items: [{ key: "near" }] });
  });

  test("count with the versions that labels point at, the seed and the newest; an older one that nothing points at is history", async () => {
    await registryOf(
      added("p", 1, "x", partial),
      added("a", 0, "{{> p}}"),
      added("a", 1, "{{> p}}"),
      added("a", 2, "{{> p}}"),
      added("a", 3, "{{> p}} again"),
      activated("a", 2, "staging"),
      added("b", 1, "{{> p}}"),
      added("b", 2, "no more"),
    );
    expect((await dependents("p"))["items"]).toEqual([
      {
        key: "a",
        versions: [
          { version: 3, labels: [], live: false },
          { version: 2, labels: ["staging"], live: true },
          { version: 0, labels: [], live: true },
        ],
        path: ["a", "p"],
      },
    ]);
  });

  test("under a label are what answers under it, through what includes resolve to there", async () => {
    await registryOf(
      added("p", 1, "x", partial),
      activated("p", 1),
      added("m", 1, "{{> p}}", partial),
      activated("m", 1),
      added("m", 2, "no more", partial),
      activated("m", 2, "staging"),
      added("a", 1, "{{> m}}"),
      activated("a", 1),
      activated("a", 1, "staging"),
      added("s", 0, "{{> m}}"),
    );
    const keysUnder = async (label: string) =>
      ((await dependents("p", { label }))["items"] as { key: string }[]).map(({ key }) => key);
    expect(await keysUnder("production")).toEqual(["a", "m", "s"]);
    expect(await keysUnder("staging")).toEqual([]);
  });

  test("of nothing are none, and a cycle among drafts ends", async () => {
    await registryOf(
      added("p", 1, "{{> q}}", partial),
      added("q", 1, "{{> p}}", partial),
      added("alone", 1, "x"),
    );
    expect(await dependents("alone")).toMatchObject({ items: [], total: 0 });
    expect(await dependents("p")).toMatchObject({ items: [{ key: "q", path: ["q", "p"] }], total: 1 });
    expect(await registry.refused(subjects.query("dependents", "nope"), {})).toBe("key_not_found");
  });
});
