import { DEFAULT_SETTINGS, ok, refuse, type AddReply, type Result } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import type { ImportFile } from "./plan.ts";
import { isSame, sendWaves } from "./send.ts";

const file = (key: string): ImportFile => ({
  path: `${key}.md`,
  file: { key, body: key, settings: { ...DEFAULT_SETTINGS, config: { a: 1, b: { c: 2, d: 3 } } } },
});
const reply = (key: string, fields: Partial<AddReply> = {}): Result<AddReply> =>
  ok({
    key,
    version: 1,
    hash: "00",
    seq: 1,
    created: "2026-01-01T00:00:00.000Z",
    activated: null,
    findings: [],
    warnings: [],
    ...fields,
  });

describe("sendWaves", () => {
  it("begins a wave only when the one before is stored", async () => {
    const stored: string[] = [];
    const seenBefore = new Map<string, string[]>();
    const waves = [["a", "b"].map(file), ["c"].map(file)];
    await sendWaves(waves, async ({ file: { key } }) => {
      seenBefore.set(key, [...stored]);
      await Promise.resolve();
      stored.push(key);
      return reply(key);
    });
    expect(seenBefore.get("c")?.toSorted()).toEqual(["a", "b"]);
  });

  it("keeps many on their way at once, and not all", async () => {
    let flying = 0;
    let most = 0;
    await sendWaves([Array.from({ length: 100 }, (_, n) => file(`k${n}`))], async ({ file: { key } }) => {
      most = Math.max(most, ++flying);
      await new Promise((next) => setImmediate(next));
      flying--;
      return reply(key);
    });
    expect(most).toBe(32);
  });

  it("stops with the first refusal, and says what became of what was sent", async () => {
    const sent = await sendWaves(
      [["a"].map(file), ["bad", "b"].map(file), ["c"].map(file)],
      async ({ file }) => (file.key === "bad" ? refuse("conflict", "no") : reply(file.key)),
    );
    expect(sent.map(({ file, outcome }) => [file.file.key, outcome])).toEqual([
      ["a", "created"],
      ["bad", "refused"],
      ["b", "created"],
    ]);
  });

  it("tells new from unchanged, and from unchanged but newly active", async () => {
    const answers: Record<string, Partial<AddReply>> = {
      same: { unchanged: true },
      was: { unchanged: true, activated: "production" },
      live: { unchanged: true, activated: "production" },
      fresh: { activated: "production" },
    };
    const sent = await sendWaves(
      [Object.keys(answers).map(file)],
      async ({ file: { key } }) => reply(key, answers[key]),
      new Map([["was", 1]]),
    );
    expect(sent.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged", "activated", "created"]);
  });
});

describe("isSame", () => {
  const { body, settings } = file("a").file;

  it("does not mind the order of fields in a config", () => {
    expect(isSame(file("a"), { ...settings, body, config: { b: { d: 3, c: 2 }, a: 1 } })).toBe(true);
  });

  it.each([
    { body: "a " },
    { kind: "partial" as const },
    { syntax: "plain" as const },
    { contract: "c" },
    { onError: "degrade" as const },
    { config: null },
    { tags: ["x"] },
  ])("sees a difference in %j", (difference) => {
    expect(isSame(file("a"), { ...settings, body, ...difference })).toBe(false);
  });
});
