import { createSubjects } from "@incipit/events";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AppendMessage, EventLog, FollowState } from "./event-log.ts";
import { createMemoryLog, type MemoryLogControls } from "./memory-log.ts";

const subjects = createSubjects();
const encode = (text: string) => new TextEncoder().encode(text);

/**
 * A writer that follows the append protocol: on a conflict or an unknown outcome it reads what came, looks for its own
 * ids, and sends what is missing anew.
 */
async function* writeCommand(log: EventLog, ids: readonly string[], from: number) {
  let end = from;
  const stored = new Set<string>();
  for (;;) {
    const missing = ids.filter((id) => !stored.has(id));
    if (missing.length === 0) return;
    const messages = missing.map((id): AppendMessage => ({
      id,
      subject: subjects.logVersion(id, 1),
      payload: encode(id),
    }));
    yield; // a rival may write here
    const result = await log.append(messages, end);
    if (result.outcome === "appended") return;
    for (let record = await log.get(end + 1); record !== null; record = await log.get(end + 1)) {
      stored.add(new TextDecoder().decode(record.payload));
      end = record.seq;
    }
  }
}

test("whatever acknowledgements are lost and whoever interferes, each message is stored once and in order", async () => {
  const event = fc.constantFrom("ack", "message", "rival", "nothing");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 4 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (plan, size) => {
        const { log, controls } = createMemoryLog();
        const ids = Array.from({ length: size }, (_, i) => `ours-${i}`);
        let rivals = 0;
        const writing = writeCommand(log, ids, 0);
        for (const step of plan) {
          for (const what of step) interfere(what, controls, () => `rival-${rivals++}`);
          if ((await writing.next()).done) break;
        }
        while (!(await writing.next()).done);
        const { lastSeq } = await log.info();
        const all: string[] = [];
        for (let seq = 1; seq <= lastSeq; seq++)
          all.push(new TextDecoder().decode((await log.get(seq))?.payload));
        expect(all.filter((id) => id.startsWith("ours"))).toEqual(ids);
        expect(all).toHaveLength(size + rivals);
      },
    ),
    { numRuns: 500 },
  );
});

function interfere(what: string, controls: MemoryLogControls, rival: () => string) {
  if (what === "ack") controls.loseNextAck();
  if (what === "message") controls.loseNextMessage();
  if (what === "rival") {
    const id = rival();
    controls.write(subjects.logVersion(id, 1), encode(id));
  }
}

test("a lost acknowledgement is an unknown outcome, and the message is there", async () => {
  const { log, controls } = createMemoryLog();
  controls.loseNextAck();
  const message = { id: "a", subject: subjects.logVersion("a", 1), payload: encode("x") };
  expect(await log.append([message], 0)).toMatchObject({ outcome: "unknown" });
  expect((await log.info()).lastSeq).toBe(1);
  expect(await log.append([message], 0)).toEqual({ outcome: "appended", seqs: [1] });
});

test("while disconnected appends are unknown, reads throw, followers are stale and catch up afterwards", async () => {
  const { log, controls } = createMemoryLog();
  const states: FollowState[] = [];
  const seen: number[] = [];
  const follower = log.follow({
    filter: subjects.logAll,
    from: 1,
    onRecords: (records) => void seen.push(...records.map(({ seq }) => seq)),
    onState: (state) => states.push(state),
  });
  await follower.ready;
  controls.disconnect();
  expect(
    await log.append([{ id: "a", subject: subjects.logVersion("a", 1), payload: encode("x") }], 0),
  ).toMatchObject({
    outcome: "unknown",
  });
  await expect(log.get(1)).rejects.toThrow(/no connection/);
  controls.write(subjects.logVersion("b", 1), encode("y"));
  expect([states, seen]).toEqual([["live", "stale"], []]);
  controls.reconnect();
  await expect.poll(() => states).toEqual(["live", "stale", "live"]);
  expect(seen).toEqual([1]);
  await follower.stop();
});

test("what goes in and comes out are copies", async () => {
  const { log } = createMemoryLog();
  const payload = encode("x");
  await log.append([{ id: "a", subject: subjects.logVersion("a", 1), payload }], 0);
  payload[0] = 0;
  const read = await log.get(1);
  if (read) read.payload[0] = 1;
  expect((await log.get(1))?.payload).toEqual(encode("x"));
});
