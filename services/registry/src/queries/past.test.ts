import { createMemoryLog } from "@incipit/bus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activated, added, createRecords, deactivated, subjects } from "../../testing/records.ts";
import { startOn, type TestRegistry } from "../../testing/registry.ts";

let registry: TestRegistry;
const day = (n: number) => `2026-02-0${n}T12:00:00.000Z`;
const get = (key: string, payload: object) => registry.query("get", key, payload);
const refused = (key: string, payload: object) => registry.refusal(subjects.query("get", key), payload);

beforeAll(async () => {
  const { log, controls } = createMemoryLog();
  const history = createRecords();
  history.push(added("a", 0, "first seed"), { at: day(1) }); // 1
  history.push(added("a", 1, "one"), { at: day(2) }); // 2
  history.push(activated("a", 1), { at: day(2) }); // 3
  history.push(activated("a", 1, "staging"), { at: day(3) }); // 4
  history.push(added("a", 2, "two"), { at: day(4) }); // 5
  history.push(activated("a", 2, "production", 1), { at: day(5) }); // 6
  history.push(added("a", 0, "second seed"), { at: day(6) }); // 7
  history.push(deactivated("a", 2), { at: day(7) }); // 8
  history.push(added("late", 1, "x"), { at: day(8) }); // 9
  for (const { subject, payload } of history.records) controls.write(subject, payload);
  registry = await startOn(log);
});
afterAll(() => registry.stop());

describe("get, as of a moment", () => {
  test.each([
    [1, "first seed", []],
    [2, "first seed", []],
    [3, "one", ["production"]],
    [5, "one", ["production", "staging"]],
    [6, "two", ["production"]],
    [7, "two", ["production"]],
    [8, "second seed", []],
  ])(
    "position %i is what a render got then, a replaced seed too, with the labels of then",
    async (at, body, labels) => {
      expect(await get("a", { at })).toMatchObject({ body, labels });
    },
  );

  test("a time is after all that happened at or before it, in whatever zone it is given", async () => {
    expect(await get("a", { at: day(5) })).toMatchObject({ body: "two" });
    expect(await get("a", { at: "2026-02-05T11:59:59.999Z" })).toMatchObject({ body: "one" });
    expect(await get("a", { at: "2026-02-05T13:00:00+01:00" })).toMatchObject({ body: "two" });
    expect(await get("a", { at: "2026-02-05T12:00:00Z" })).toMatchObject({ body: "two" });
    expect(await get("a", { at: "2999-01-01T00:00:00Z" })).toMatchObject({ body: "second seed" });
  });

  test("goes with a label, which falls back to no seed", async () => {
    expect(await get("a", { label: "staging", at: 4 })).toMatchObject({ version: 1 });
    expect(await refused("a", { label: "staging", at: 3 })).toMatchObject({
      code: "not_active",
      message: "Nothing of a was active under staging as of 3.",
    });
  });

  test("before a key was there it is not found, and before it was live it was not active", async () => {
    expect((await refused("late", { at: 8 })).code).toBe("key_not_found");
    expect((await refused("late", { at: 9 })).code).toBe("not_active");
    expect((await refused("a", { at: 0 })).code).toBe("key_not_found");
  });

  test.each([
    [{ version: 1, at: 3 }, "bad_request"],
    [{ at: "yesterday" }, "bad_request"],
    [{ at: "2026-02-05" }, "bad_request"],
    [{ at: "2026-02-05T12:00:00" }, "bad_request"],
    [{ at: -1 }, "bad_request"],
    [{ at: 10, timeoutMs: 10 }, "not_caught_up"],
  ])("%j is %s", async (payload, code) => {
    expect((await refused("a", payload)).code).toBe(code);
  });
});

describe("activations and labels over all keys", () => {
  test("every move of every key comes newest first, under one label if asked", async () => {
    const positions = async (payload: object) =>
      ((await registry.query("activations", undefined, payload))["items"] as { seq: number }[]).map(
        ({ seq }) => seq,
      );
    expect(await positions({})).toEqual([8, 6, 4, 3]);
    expect(await positions({ label: "production", limit: 2 })).toEqual([8, 6]);
    expect(await positions({ label: "production", before: 6 })).toEqual([3]);
    expect(await registry.query("activations", undefined)).toMatchObject({ key: null, before: null });
  });

  // langfuse #7605: a label vanished from sight once nothing pointed at it any more.
  test("a label that was taken away everywhere is still listed, and so is production before anything is live", async () => {
    const last = { key: "a", actor: "alice" };
    expect(await registry.query("labels", undefined)).toEqual({
      items: [
        { label: "production", keys: 0, last: { ...last, at: day(7), seq: 8 } },
        { label: "staging", keys: 1, last: { ...last, at: day(3), seq: 4 } },
      ],
      total: 2,
      after: null,
    });
    expect(await registry.query("labels", undefined, { limit: 1 })).toMatchObject({ after: "production" });
    const empty = await startOn(createMemoryLog().log);
    expect((await empty.query("labels", undefined))["items"]).toEqual([
      { label: "production", keys: 0, last: null },
    ]);
    await empty.stop();
  });
});
