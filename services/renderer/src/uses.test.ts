import { describe, expect, it } from "vitest";
import type { Wanted } from "./render/request.ts";
import { createUses } from "./uses.ts";

const wanted = (key: string, fallbackKeys: string[] = []): Wanted => ({
  key,
  fallbackKeys,
  version: null,
  label: "production",
  pins: new Map(),
});
const P = new Set(["p"]);

describe("what was asked for lately", () => {
  it("is forgotten longest ago first, and told latest first", () => {
    const uses = createUses(2_000);
    for (const key of ["a", "b", "c"]) uses.note(wanted(key), P);
    uses.note(wanted("a"), P);
    uses.note(wanted("d"), P);
    expect(uses.affectedBy(P).map(({ key }) => key)).toEqual(["d", "a", "c"]);
  });

  it("takes no more memory than it is given, whatever callers ask for", () => {
    const uses = createUses(1 << 20);
    for (let n = 0; n < 10_000; n++) {
      const keys = Array.from({ length: 16 }, (_, at) => `${n}-${at}-`.padEnd(200, "k"));
      uses.note(wanted(`k${n}`, keys), new Set([`k${n}`, ...keys]));
    }
    expect(uses.stats().bytes).toBeLessThanOrEqual(1 << 20);
    // Each holds 16 keys of 200 characters, and is named by them.
    expect(uses.stats().entries).toBeLessThan((1 << 20) / (2 * 16 * 200));
    expect(uses.affectedBy(new Set(["k9999"]))).toHaveLength(1);
    expect(uses.affectedBy(new Set(["k0"]))).toEqual([]);
  });

  it("has room for ten thousand requests of usual size", () => {
    const uses = createUses();
    for (let n = 0; n < 10_000; n++)
      uses.note(wanted(`support/triage-${n}`), new Set([`support/triage-${n}`, "p"]));
    expect(uses.stats().entries).toBe(10_000);
  });
});
