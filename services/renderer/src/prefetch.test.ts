import { silentLogger } from "@incipit/bus";
import { ok } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { LogUnreachableError } from "./within.ts";
import type { Finder, Found } from "./finder.ts";
import { createPrefetch } from "./prefetch.ts";
import type { Wanted } from "./render/request.ts";
import { createUses } from "./uses.ts";

const wanted = (key: string, change: Partial<Wanted> = {}): Wanted => ({
  key,
  fallbackKeys: [],
  version: null,
  label: "production",
  pins: new Map(),
  ...change,
});
const nothing = { of: () => undefined, contract: () => undefined, seq: () => 0 };

/** A prefetch whose finder fails as often as told. */
function start(
  state: "live" | "stale",
  failures: number,
  patienceMs: number,
  failure: Error = new LogUnreachableError("no"),
) {
  const uses = createUses();
  const tried: string[] = [];
  const told: string[] = [];
  const stop = new AbortController();
  let workMs = 0;
  const finder: Finder = {
    async find({ key }) {
      tried.push(key);
      // As much work as a large template is.
      for (const until = performance.now() + workMs; performance.now() < until;);
      if (tried.length <= failures) throw failure;
      // Nothing looks at what was found: it is in the cache.
      return ok({} as Found);
    },
  };
  const logger = { ...silentLogger, error: (_: object, message: string) => void told.push(message) };
  const prefetch = createPrefetch({
    uses,
    finder,
    state: () => state,
    signal: stop.signal,
    logger,
    patienceMs,
  });
  return { uses, tried, told, stop, prefetch, slow: (ms: number) => void (workMs = ms) };
}

describe("making ready", () => {
  it("concerns what was asked for lately and depends on a key that moves", async () => {
    const { uses, prefetch, tried } = start("live", 0, 60_000);
    uses.note(wanted("a"), new Set(["a", "p"]));
    uses.note(wanted("b"), new Set(["b"]));
    uses.note(wanted("pinned", { pins: new Map([["p", 1]]) }), new Set(["p"]));
    uses.note(wanted("a", { label: "staging" }), new Set(["a", "p"]));
    await prefetch(new Set(["p"]), nothing);
    expect(tried).toEqual(["a", "a"]);
  });

  it("is given up after a while where the log answers others, and says so", async () => {
    const { uses, prefetch, told } = start("live", Number.POSITIVE_INFINITY, 20);
    uses.note(wanted("a"), new Set(["a"]));
    await prefetch(new Set(["a"]), nothing);
    expect(told).toHaveLength(1);
  });

  it("of a whole batch is given up together: no template has a time of its own", async () => {
    const { uses, prefetch, tried, told } = start("live", Number.POSITIVE_INFINITY, 50);
    for (let n = 0; n < 1_000; n++) uses.note(wanted(`a${n}`), new Set(["p"]));
    const since = performance.now();
    await prefetch(new Set(["p"]), nothing);
    // Sixteen at a time would take three seconds if each had its own.
    expect(performance.now() - since).toBeLessThan(1_500);
    expect(new Set(tried).size).toBeLessThanOrEqual(16);
    expect(told).toHaveLength(1);
  });

  it("of a whole batch is given up in time also where each template comes, slowly", async () => {
    const { uses, prefetch, tried, told, slow } = start("live", 0, 20);
    slow(5);
    for (let n = 0; n < 1_000; n++) uses.note(wanted(`a${n}`), new Set(["p"]));
    await prefetch(new Set(["p"]), nothing);
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.length).toBeLessThan(500);
    expect(tried[0]).toBe("a999");
    expect(told).toHaveLength(1);
  });

  it("is not given up while the log is out of reach", async () => {
    const { uses, prefetch, tried, told } = start("stale", 3, 0);
    uses.note(wanted("a"), new Set(["a"]));
    await prefetch(new Set(["a"]), nothing);
    expect(tried).toHaveLength(4);
    expect(told).toEqual([]);
  });

  it("goes on past a template that meets a bug, and says so", async () => {
    const { uses, prefetch, tried, told } = start("live", 1, 10_000, new RangeError("a bug"));
    uses.note(wanted("a"), new Set(["p"]));
    uses.note(wanted("b"), new Set(["p"]));
    await prefetch(new Set(["p"]), nothing);
    expect(tried).toHaveLength(2);
    expect(told).toHaveLength(1);
  });

  it("ends when the renderer stops", async () => {
    const { uses, prefetch, stop, told } = start("stale", Number.POSITIVE_INFINITY, 0);
    uses.note(wanted("a"), new Set(["a"]));
    const waiting = prefetch(new Set(["a"]), nothing);
    stop.abort();
    await waiting;
    expect(told).toEqual([]);
  });
});
