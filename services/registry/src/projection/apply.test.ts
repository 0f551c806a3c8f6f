import { describe, expect, test } from "vitest";
import { queriesOn } from "../queries/queries.ts";
import { activated, added, createRecords, NOON } from "../../testing/records.ts";
import { emptyProjection } from "../../testing/scenario.ts";

describe("applying the log", () => {
  test("is idempotent by position: what was applied is passed over", () => {
    const log = createRecords();
    log.push(added("a", 1, "x"));
    log.push(activated("a", 1));
    const projection = emptyProjection();
    projection.applyBatch(log.records);
    const before = projection.checkpoint();
    expect(projection.applyBatch(log.records)).toEqual([]);
    expect(projection.checkpoint()).toEqual(before);
    log.push(added("a", 2, "y"));
    expect(projection.applyBatch(log.records).map(({ seq }) => seq)).toEqual([3]);
    expect(queriesOn(projection).counts().counts).toEqual({ keys: 1, versions: 2, seeds: 0, activations: 1 });
  });

  test("in any batches gives the same", () => {
    const log = createRecords();
    for (let i = 1; i <= 20; i++) log.push(added(`k${i % 3}`, Math.ceil(i / 3), `body ${i}`));
    const whole = emptyProjection();
    whole.applyBatch(log.records);
    const single = emptyProjection();
    for (const record of log.records) single.applyBatch([record]);
    expect(single.checkpoint()).toEqual(whole.checkpoint());
    expect(queriesOn(single).list({ limit: 50 })).toEqual(queriesOn(whole).list({ limit: 50 }));
  });

  test("what is not ours is recorded, and its position counts", () => {
    const log = createRecords();
    log.push(added("a", 1, "x"));
    log.pushForeign("no JSON");
    log.push(added("a", 2, "y"));
    const projection = emptyProjection();
    expect(projection.applyBatch(log.records).map(({ status }) => status)).toEqual([
      "applied",
      "rejected",
      "applied",
    ]);
    expect(projection.checkpoint()).toMatchObject({ seq: 3, headSeq: 3, chain: log.chain() });
    expect(projection.rejectionAt(2)).toBe("the payload is not JSON");
    expect(projection.rejectionAt(1)).toBeNull();
  });

  test("an event that contradicts what is there is rejected, and stays part of the chain", () => {
    const log = createRecords();
    log.push(added("a", 1, "x"));
    log.push(added("a", 1, "other"));
    log.push(activated("a", 7));
    log.push(added("a", 2, "y"));
    const projection = emptyProjection();
    expect(projection.applyBatch(log.records).map(({ status }) => status)).toEqual([
      "applied",
      "rejected",
      "rejected",
      "applied",
    ]);
    expect(queriesOn(projection).get("a", { version: 1 })).toMatchObject({ value: { body: "x" } });
    expect(projection.checkpoint().chain).toEqual(log.chain());
  });

  test("an event of a later shape counts in the chain and is not applied", () => {
    const log = createRecords();
    log.push(added("a", 1, "x"));
    log.push(added("a", 2, "y"), {}, 2);
    log.push(added("a", 3, "z"));
    const projection = emptyProjection();
    projection.applyBatch(log.records);
    expect(projection.checkpoint()).toMatchObject({
      seq: 3,
      chain: log.chain(),
      newer: { seq: 2, type: "TemplateAdded", v: 2 },
    });
  });

  test("a seed is replaced by the next one, and keeps the position of the first", () => {
    const log = createRecords();
    log.push(added("a", 0, "x"));
    log.push(added("a", 0, "y", { tags: ["t"] }));
    const projection = emptyProjection();
    projection.applyBatch(log.records);
    expect(queriesOn(projection).get("a", {})).toMatchObject({
      ok: true,
      value: { version: 0, body: "y", tags: ["t"], source: "seed", seq: 2, created: NOON },
    });
    expect(queriesOn(projection).counts().counts).toMatchObject({ keys: 1, versions: 0, seeds: 1 });
  });
});
