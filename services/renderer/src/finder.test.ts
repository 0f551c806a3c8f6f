import { setMaxListeners } from "node:events";
import { createMemoryLog, silentLogger, type EventLog } from "@incipit/bus";
import { beforeEach, describe, expect, it } from "vitest";
import { added, admit, createLogAuthor } from "../testing/log-writer.ts";
import { createBodies } from "./bodies.ts";
import { LogUnreachableError } from "./within.ts";
import { createFinder } from "./finder.ts";
import { NO_POINTERS, withActive } from "./render/pointer-view.ts";
import type { Wanted } from "./render/request.ts";
import { createTemplateCache } from "./template-cache.ts";

const wanted: Wanted = {
  key: "a",
  fallbackKeys: [],
  version: null,
  label: "production",
  pins: new Map(),
};

/** A finder over three versions of one key, with a pointer that a test moves and a log whose answers it can hold. */
async function setUp(loadingMs = 60_000) {
  const { log: memory, controls } = createMemoryLog();
  await createLogAuthor(memory).write(added("a", 1, "one"), added("a", 2, "two"), added("a", 3, "three"));
  const state = { version: 1, seq: 10 };
  const asked: string[] = [];
  const held: (() => void)[] = [];
  let holding = false;
  const log: EventLog = {
    ...memory,
    async last(subject, options) {
      asked.push(subject);
      if (holding) await new Promise<void>((resolve) => held.push(resolve));
      return memory.last(subject, options);
    },
  };
  const cache = createTemplateCache(1 << 20);
  const { signal } = new AbortController();
  // As a generation's is: each load that waits listens to it.
  setMaxListeners(0, signal);
  const bodies = createBodies({
    log,
    admit,
    isEvent: async () => true,
    cache,
    signal,
    logger: silentLogger,
  });
  const finder = createFinder({ bodies, cache, sha256: admit.primitives.sha256, signal, loadingMs });
  const pointers = {
    contract: () => undefined,
    of: () => withActive(NO_POINTERS, "production", { version: state.version, seq: state.seq, trace: null }),
    seq: () => state.seq,
  };
  const find = async () => {
    const found = await finder.find(wanted, pointers);
    return found.ok ? { version: found.value.root.version, seq: found.value.seq } : found.problem.code;
  };
  return {
    state,
    asked,
    controls,
    find,
    hold: () => void (holding = true),
    release: () => {
      holding = false;
      for (const go of held.splice(0)) go();
    },
  };
}

describe("finding a template", () => {
  let rig: Awaited<ReturnType<typeof setUp>>;
  beforeEach(async () => {
    rig = await setUp();
  });

  it("reports the position it was resolved at, whatever moves before the answer is read", async () => {
    await rig.find();
    const finding = rig.find();
    Object.assign(rig.state, { version: 2, seq: 11 });
    expect(await finding).toEqual({ version: 1, seq: 10 });
    expect(await rig.find()).toEqual({ version: 2, seq: 11 });
  });

  it("starts over where the pointer moved while a body was loaded", async () => {
    rig.hold();
    const finding = rig.find();
    Object.assign(rig.state, { version: 2, seq: 11 });
    rig.release();
    expect(await finding).toEqual({ version: 2, seq: 11 });
    expect(rig.asked).toEqual(["prompt.log.version.1.a", "prompt.log.version.2.a"]);
  });

  it("fetches a body once for all who wait for it", async () => {
    rig.hold();
    const findings = Array.from({ length: 10 }, rig.find);
    rig.release();
    expect(new Set((await Promise.all(findings)).map((found) => JSON.stringify(found))).size).toBe(1);
    expect(rig.asked).toHaveLength(1);
  });

  it("throws at an outage and remembers nothing of it", async () => {
    rig.controls.disconnect();
    await expect(rig.find()).rejects.toBeInstanceOf(LogUnreachableError);
    rig.controls.reconnect();
    expect(await rig.find()).toEqual({ version: 1, seq: 10 });
  });

  it("comes to an end where the pointer moves whenever a body has come", async () => {
    const restless = await setUp(0);
    await expect(restless.find()).rejects.toBeInstanceOf(LogUnreachableError);
  });

  it("is given up at its time, whatever it waits for", async () => {
    const impatient = await setUp(10);
    impatient.hold();
    await expect(impatient.find()).rejects.toBeInstanceOf(LogUnreachableError);
    impatient.release();
  });

  it("does not remember what was missing", async () => {
    rig.state.version = 4;
    expect(await rig.find()).toBe("version_not_found");
    expect(await rig.find()).toBe("version_not_found");
    expect(rig.asked).toHaveLength(2);
  });
});
