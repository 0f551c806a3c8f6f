import { createMemoryLog, silentLogger, type EventLog } from "@incipit/bus";
import { describe, expect, it } from "vitest";
import { added, admit, createLogAuthor } from "../testing/log-writer.ts";
import { createBodies } from "./bodies.ts";
import { LogUnreachableError } from "./within.ts";
import { createTemplateCache } from "./template-cache.ts";

const ref = { key: "a", version: 1, seq: null };

/** A loader over a version with a foreign message on top, whose log goes silent once the newest message was given. */
async function setUp(patienceMs: number) {
  const { log: memory, controls } = createMemoryLog();
  await createLogAuthor(memory).write(added("a", 1, "one"));
  controls.write(admit.subjects.logVersion("a", 1), new TextEncoder().encode("junk"));
  let asked = () => {};
  const silent = new Promise<void>((resolve) => (asked = resolve));
  const log: EventLog = {
    ...memory,
    async last(subject, options) {
      const record = await memory.last(subject, options);
      controls.disconnect();
      asked();
      return record;
    },
  };
  const stop = new AbortController();
  const cache = createTemplateCache(1 << 20);
  const bodies = createBodies({
    log,
    admit,
    isEvent: async () => true,
    cache,
    signal: stop.signal,
    logger: silentLogger,
    patienceMs,
  });
  return { bodies, stop, silent, reconnect: controls.reconnect };
}

describe("loading a version that lies below a foreign message", () => {
  it("goes on where the log comes back in time", async () => {
    const { bodies, silent, reconnect } = await setUp(60_000);
    const loading = bodies.load(ref);
    await silent;
    reconnect();
    expect(await loading).toMatchObject({ ref, hash: admit.primitives.sha256("one") });
  });

  it("is given up at its time where the log is lost in between", async () => {
    const { bodies } = await setUp(10);
    await expect(bodies.load(ref)).rejects.toBeInstanceOf(LogUnreachableError);
  });

  it("ends at once when nobody waits for bodies any more", async () => {
    const { bodies, silent, stop } = await setUp(60_000);
    const loading = bodies.load(ref);
    await silent;
    stop.abort();
    await expect(loading).rejects.toBeInstanceOf(LogUnreachableError);
    await expect(bodies.load(ref)).rejects.toBeInstanceOf(LogUnreachableError);
  });
});

it("a question to which no answer ever comes is given up at its time", async () => {
  const { log } = createMemoryLog();
  const silence = {
    ...log,
    get: () => new Promise<never>(() => {}),
    last: () => new Promise<never>(() => {}),
  };
  const bodies = createBodies({
    log: silence,
    admit,
    isEvent: async () => true,
    cache: createTemplateCache(1 << 20),
    signal: new AbortController().signal,
    logger: silentLogger,
    patienceMs: 10,
  });
  await expect(bodies.load(ref)).rejects.toBeInstanceOf(LogUnreachableError);
  await expect(bodies.load({ ...ref, version: 0, seq: 7 })).rejects.toBeInstanceOf(LogUnreachableError);
  await expect(bodies.hasVersions("a")).rejects.toBeInstanceOf(LogUnreachableError);
});
