import { createMemoryLog, silentLogger, type EventLog, type MemoryLogControls } from "@incipit/bus";
import { chainHash } from "@incipit/events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  activated,
  added,
  admit,
  createLogAuthor,
  createLogWriter,
  deactivated,
} from "../testing/log-writer.ts";
import { createRig, until } from "../testing/renderer.ts";
import { foldChain, LOG_START } from "./chain-fold.ts";
import { startGeneration, type Generation } from "./generation.ts";

const KEYS = ["a", "b/c", "z"];
const LABELS = ["production", "staging"];
const bytes = (text: string) => new TextEncoder().encode(text);

/** What a renderer keeps of a log; `asked` are the positions it got one by one. */
async function follow(memory: EventLog) {
  const asked: number[] = [];
  const read: number[] = [];
  let rejected = 0;
  const log: EventLog = {
    ...memory,
    get: (seq) => (asked.push(seq), memory.get(seq)),
    follow: (options) => {
      if (options.filter === admit.subjects.logAll && typeof options.from === "number")
        read.push(options.from);
      return memory.follow(options);
    },
  };
  const generation = startGeneration({
    log,
    admit,
    cacheBytes: 1,
    onRejected: () => rejected++,
    logger: silentLogger,
  });
  await generation.ready;
  return { generation, asked, read, rejected: () => rejected };
}

function stateOf({ pointers }: Generation): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const key of KEYS)
    for (const label of [...LABELS, null]) {
      const known = pointers.of(key);
      const pointer = label === null ? known?.seed : known?.active.get(label);
      if (pointer) state[`${key} ${label ?? "seed"}`] = [pointer.version, pointer.seq];
    }
  return state;
}

/** What the registry would have: every message admitted or not, from the first on. */
async function model(log: EventLog) {
  const fold = foldChain(LOG_START, admit);
  const { lastSeq } = await log.info();
  for (let seq = 1; seq <= lastSeq; seq++) {
    const record = await log.get(seq);
    if (record !== null) fold.add(record);
  }
  const state: Record<string, unknown> = {};
  for (const change of fold.changes())
    if ("pointer" in change)
      state[`${change.key} ${change.label ?? "seed"}`] = [change.pointer.version, change.pointer.seq];
  return { state, foreign: fold.foreignNow };
}

const key = fc.constantFrom(...KEYS);
const label = fc.constantFrom(...LABELS);
const version = fc.integer({ min: 1, max: 3 });
const event = fc.oneof(
  fc.tuple(key, version, label).map((of) => activated(...of)),
  fc.tuple(key, version, label).map((of) => deactivated(...of)),
  key.map((name) => added(name, 0, "seed")),
  fc.tuple(key, version).map(([name, n]) => added(name, n, `body ${n}`)),
);
/** An index told as a distance from the true one or from the position, or anything. */
const wild = fc.oneof(
  fc.record({ from: fc.constantFrom("index", "position"), by: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ from: fc.constant("nothing"), by: fc.integer({ min: 1, max: 1_000_000 }) }),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), event }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("garbage" as const), event, text: fc.json() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("replay" as const),
      at: fc.nat(),
      run: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("forge" as const), event, wild, newer: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("settle" as const) }) },
);

describe("on a log of events and all kinds of foreign messages", () => {
  it("a renderer that runs, one that starts and the registry agree on every pointer", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 70, 201),
        fc.array(step, { maxLength: 40 }),
        async (before, steps) => {
          const { log, controls } = createMemoryLog();
          const author = createLogAuthor(log);
          for (let n = 1; n <= before; n++) await author.write(added("z", n, "old"));
          if (before % 2 === 1) await author.write(activated("z", 1));
          let honest = before % 2;
          const running = await follow(log);
          const settled = async () => {
            const seq = (await log.last(admit.subjects.logNow))?.seq ?? 0;
            await until(() => running.generation.pointers.seq() >= seq);
          };
          for (const todo of steps) {
            const { lastSeq } = await log.info();
            if (todo.do === "settle") await settled();
            else if (todo.do === "write") {
              await author.write(todo.event);
              honest++;
            } else if (todo.do === "garbage")
              controls.write(admit.subjects.logOf(todo.event), bytes(todo.text));
            else if (todo.do === "replay") {
              const first = 1 + (lastSeq === 0 ? 0 : todo.at % lastSeq);
              for (let seq = first; seq < first + todo.run; seq++) {
                const record = await log.get(seq);
                if (record !== null) controls.write(record.subject, record.payload);
              }
            } else {
              const { from, by } = todo.wild;
              const base = from === "index" ? before + honest + 1 : from === "position" ? lastSeq + 1 : 0;
              const lie = {
                index: Math.max(1, base + by),
                prev: "f".repeat(64),
                ...(todo.newer && { type: "Later" }),
              };
              const message = author.writer.message(todo.event, lie);
              controls.write(message.subject, message.payload);
            }
          }
          await settled();
          const { state, foreign } = await model(log);
          expect(stateOf(running.generation)).toEqual(state);
          expect(running.rejected()).toBe(foreign.length);
          const starting = await follow(log);
          expect(stateOf(starting.generation)).toEqual(state);
          expect(starting.generation.pointers.seq()).toBe(running.generation.pointers.seq());
          await running.generation.stop();
          await starting.generation.stop();
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** A log of `count` versions of z, and then activations of a. */
async function longLog(count: number) {
  const { log, controls } = createMemoryLog();
  const author = createLogAuthor(log);
  for (let n = 1; n <= count; n++) await author.write(added("z", n, "old"));
  await author.write(activated("a", 1), activated("a", 2));
  return { log, controls, author };
}

/** Stores twenty activations behind a position, each on the one before it, that count as if all before were events. */
function forgeChain(controls: MemoryLogControls, end: number): number {
  const forger = createLogWriter();
  let prev = "f".repeat(64);
  let index = end;
  for (let n = 0; n < 20; n++) {
    const { subject, payload } = forger.message(activated("a", 9), { index: ++index, prev });
    controls.write(subject, payload);
    prev = chainHash(admit.primitives, subject, payload);
  }
  return index;
}

describe("a long log", () => {
  it("without foreign messages costs a start sixteen messages, and each event what stands before it", async () => {
    const { log, author } = await longLog(300);
    const { generation, asked, read } = await follow(log);
    expect(asked).toHaveLength(16);
    asked.length = 0;
    const seq = await author.write(added("a", 3, "x"), activated("a", 3), activated("a", 1));
    await until(() => generation.pointers.seq() === seq);
    expect(asked).toEqual([seq - 2]);
    expect(read).toEqual([]);
  });

  it("is read once from its start where something speaks against what was counted, and never again", async () => {
    const { log, author, controls } = await longLog(300);
    const { generation, read, rejected } = await follow(log);
    const forged = author.writer.message(activated("a", 9), { index: 1 });
    for (let n = 0; n < 3; n++) {
      const seq = controls.write(forged.subject, forged.payload);
      await until(() => generation.pointers.seq() === seq);
    }
    expect(read).toEqual([1]);
    expect(rejected()).toBe(3);
    const seq = await author.write(activated("a", 1));
    await until(() => generation.pointers.seq() === seq);
    expect(stateOf(generation)).toEqual({ "a production": [1, seq] });
  });

  it("whose end is a forged chain deceives a start, until the next event puts it right", async () => {
    const { log, author, controls } = await longLog(300);
    const index = forgeChain(controls, (await log.info()).lastSeq);
    const { generation } = await follow(log);
    expect(stateOf(generation)).toEqual({ "a production": [9, index] });
    const seq = await author.write(activated("b/c", 1));
    await until(() => generation.pointers.seq() === seq);
    expect(stateOf(generation)).toEqual({ "a production": [2, 302], "b/c production": [1, seq] });
  });

  it("whose last message claims the very next place without a link deceives nobody", async () => {
    const { log, author, controls } = await longLog(300);
    const forged = author.writer.message(activated("a", 9), { index: 303, prev: "f".repeat(64) });
    controls.write(forged.subject, forged.payload);
    const { generation, rejected } = await follow(log);
    expect(stateOf(generation)).toEqual({ "a production": [2, 302] });
    expect(rejected()).toBe(1);
  });

  it("that ends with a forged chain deceives nobody where an earlier event does not fit its count", async () => {
    const { log, author, controls } = await longLog(300);
    controls.write(admit.subjects.logActive("a", "staging"), bytes("junk"));
    const staged = await author.write(activated("a", 1, "staging"));
    forgeChain(controls, staged);
    const { generation } = await follow(log);
    expect(stateOf(generation)).toEqual({ "a production": [2, 302], "a staging": [1, staged] });
  });

  it("is read on through an outage", async () => {
    const { log, author, controls } = await longLog(300);
    const { generation } = await follow(log);
    const late = [added("a", 3, "x"), activated("a", 3)].map((of) => author.writer.message(of));
    controls.disconnect();
    for (const { subject, payload } of late) controls.write(subject, payload);
    controls.reconnect();
    controls.disconnect();
    controls.reconnect();
    await until(() => generation.pointers.seq() === 304);
    expect(stateOf(generation)).toEqual({ "a production": [3, 304] });
  });
});

describe("a version", () => {
  it("that somebody stored over the true one, or before it, is never an event", async () => {
    const { author, controls, text, start } = await createRig((first) =>
      first.write(...Array.from({ length: 100 }, (_, n) => added("z", n + 1, "old"))),
    );
    const forged = author.writer.message(added("a", 1, "forged"), { index: 1 });
    controls.write(forged.subject, forged.payload);
    await author.write(added("a", 1, "true"));
    controls.write(forged.subject, forged.payload);
    expect(await text("a", { version: 1 })).toBe("true");
    expect(await text("a")).toBe("not_active");
    const seq = await author.write(activated("a", 1));
    expect(await text("a", { minSeq: seq })).toBe("true");
    const late = await start();
    expect(await late.render("prompt.render.a", { minSeq: seq })).toMatchObject({ value: { text: "true" } });
  });

  it("that was never an event is not found", async () => {
    const { author, controls, text } = await createRig((first) =>
      first.write(added("a", 1, "one"), activated("a", 1)),
    );
    const forged = author.writer.message(added("a", 2, "forged"), { index: 3, prev: "f".repeat(64) });
    controls.write(forged.subject, forged.payload);
    expect(await text("a", { version: 2 })).toBe("version_not_found");
    await author.write(added("z", 1, "z"), activated("a", 1));
    expect(await text("a", { version: 2 })).toBe("version_not_found");
  });
});
