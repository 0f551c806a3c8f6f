import { createMemoryLog, nodePrimitives } from "@incipit/bus";
import {
  CHAIN_START,
  chainHash,
  createSubjects,
  encodeEnvelope,
  type ChainState,
  type PromptEvent,
} from "@incipit/events";
import { describe, expect, it } from "vitest";
import { readLog, type LogEntry, type LogOptions } from "./log.ts";

const subjects = createSubjects();
const admitOptions = { primitives: nodePrimitives, subjects };
const hash = nodePrimitives.sha256("x");

/** A log and a writer that goes on along its chain. */
function createLog() {
  const { log, controls } = createMemoryLog();
  let chain: ChainState = CHAIN_START;
  let lastSeq = 0;
  async function write(version: number) {
    const event: PromptEvent = {
      type: "TemplateActivated",
      data: { key: "a", label: "production", version, previous: null, note: "" },
    };
    const id = `0190a000-0000-7000-8000-${String(version).padStart(12, "0")}`;
    const text = encodeEnvelope({
      id,
      type: event.type,
      v: 1,
      at: "2026-01-01T00:00:00.000Z",
      actor: "alice",
      commandId: id,
      commandHash: hash,
      trace: null,
      index: chain.index + 1,
      prev: chain.head,
      data: event.data,
    });
    const subject = subjects.logOf(event);
    const payload = new TextEncoder().encode(text);
    const outcome = await log.append([{ id, subject, payload }], lastSeq);
    expect(outcome.outcome).toBe("appended");
    lastSeq++;
    chain = { index: chain.index + 1, head: chainHash(nodePrimitives, subject, payload) };
  }
  const intrude = () => {
    lastSeq = controls.write("prompt.log.now.active.production.a", new TextEncoder().encode("not an event"));
  };
  const read = (options: LogOptions = {}) => readLog(log, { timeoutMs: 1_000, ...options }, admitOptions);
  return { log, controls, write, intrude, read, chain: () => chain };
}

async function all(entries: AsyncIterable<LogEntry>) {
  const found: LogEntry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

describe("readLog", () => {
  it("reads an empty log to its end", async () => {
    expect(await all(createLog().read())).toEqual([]);
  });

  it("verifies every message and ends with the last", async () => {
    const { write, intrude, read, chain } = createLog();
    await write(1);
    intrude();
    await write(2);
    const entries = await all(read());
    expect(entries.map(({ record, admission }) => [record.seq, admission.status])).toEqual([
      [1, "event"],
      [2, "rejected"],
      [3, "event"],
    ]);
    expect(entries.at(-1)?.chain).toEqual(chain());
  });

  it("hands over from a position, and still verifies from the start", async () => {
    const { write, read, chain } = createLog();
    for (const version of [1, 2, 3]) await write(version);
    const entries = await all(read({ from: 3 }));
    expect(entries.map(({ record }) => record.seq)).toEqual([3]);
    expect(entries[0]).toMatchObject({ admission: { status: "event" }, chain: chain() });
    expect(await all(read({ from: 4 }))).toEqual([]);
  });

  it("goes on with what is written until it is told to end", async () => {
    const { write, read } = createLog();
    await write(1);
    const ended = new AbortController();
    const entries = read({ follow: true, signal: ended.signal });
    expect((await entries.next()).value).toMatchObject({ record: { seq: 1 } });
    const next = entries.next();
    await write(2);
    expect((await next).value).toMatchObject({ record: { seq: 2 } });
    const last = entries.next();
    ended.abort();
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it("throws that the log cannot be read where there is no connection", async () => {
    const { controls, read } = createLog();
    controls.disconnect();
    await expect(all(read())).rejects.toMatchObject({ name: "IncipitError", code: "unavailable" });
  });

  it("throws once where the log is made anew before its end is reached, and leaves no rejection unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const { controls, intrude, read } = createLog();
      for (let n = 0; n < 600; n++) intrude(); // more than one batch
      const entries = read();
      expect((await entries.next()).value).toMatchObject({ record: { seq: 1 } });
      controls.reset();
      await expect(all(entries)).rejects.toMatchObject({ name: "IncipitError", code: "unavailable" });
      await new Promise((next) => setImmediate(next)); // Node tells of them once no microtask is left
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  it("can be left in the middle", async () => {
    const { write, read } = createLog();
    for (const version of [1, 2, 3]) await write(version);
    for await (const entry of read({ follow: true })) {
      expect(entry.record.seq).toBe(1);
      break;
    }
  });
});
