import { LogResetError, type EventLog } from "@incipit/bus";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "./eventually.ts";
import type { LogAdapter, LogFixture } from "./log-adapters.ts";
import { fill, message, seqsOf, textOf, watch } from "./log-messages.ts";

/** What every adapter of the log must do, as tests of the `describe` that this is called in. */
export function logContract(adapter: LogAdapter) {
  let at: LogFixture;
  let log: EventLog;
  beforeAll(adapter.start);
  afterAll(adapter.stop);
  beforeEach(async () => {
    at = await adapter.fresh();
    ({ log } = at);
  });
  const version = (n: number, key = "a") => at.subjects.logVersion(key, n);
  const active = (key: string, label = "production") => at.subjects.logActive(key, label);

  describe("append", () => {
    test("stores messages in order and gives their positions", async () => {
      expect(await log.append([message(version(1)), message(version(2))], 0)).toEqual({
        outcome: "appended",
        seqs: [1, 2],
      });
      expect(await log.append([message(version(3))], 2)).toEqual({ outcome: "appended", seqs: [3] });
      expect((await log.info()).lastSeq).toBe(3);
    });

    test("is a conflict, and stores nothing, where the log has another end", async () => {
      await fill(log, [version(1)]);
      for (const wrong of [0, 2, 7]) {
        const result = await log.append([message(version(2)), message(version(3))], wrong);
        expect(result).toEqual({ outcome: "conflict" });
      }
      expect((await log.info()).lastSeq).toBe(1);
    });

    test("stores nothing of a command that lost the race by one message", async () => {
      // The rival's one message takes just the position that the second of ours expects to follow.
      await fill(log, [version(1)]);
      const result = await log.append([message(version(2)), message(version(3)), message(version(4))], 0);
      expect(result).toEqual({ outcome: "conflict" });
      expect((await log.info()).lastSeq).toBe(1);
    });

    test("stores a resend of a message once, and says where", async () => {
      const [first, second] = [message(version(1)), message(version(2))];
      await log.append([first, second], 0);
      expect(await log.append([first, second], 0)).toEqual({ outcome: "appended", seqs: [1, 2] });
      expect((await log.info()).lastSeq).toBe(2);
    });

    test("completes a command of which only the first message was stored", async () => {
      const [first, second] = [message(version(1)), message(version(2))];
      await log.append([first], 0);
      expect(await log.append([first, second], 0)).toEqual({ outcome: "appended", seqs: [1, 2] });
    });

    test("does not know what became of a command that a rival cut in two", async () => {
      const [first, second] = [message(version(1)), message(version(3))];
      await log.append([first], 0);
      await fill(log, [version(2)]);
      expect(await log.append([first, second], 0)).toMatchObject({ outcome: "unknown" });
      expect((await log.info()).lastSeq).toBe(2);
    });

    test("of nothing appends nothing", async () => {
      expect(await log.append([], 0)).toEqual({ outcome: "appended", seqs: [] });
    });

    test("is too large, and stores nothing of the command, where one message is more than the log takes", async () => {
      const large = message(version(2), "x".repeat(8 * 1024 * 1024 + 1));
      const result = await log.append([message(version(1)), large], 0);
      expect(result).toMatchObject({ outcome: "tooLarge", limit: 8 * 1024 * 1024 });
      if (result.outcome === "tooLarge") expect(result.bytes).toBeGreaterThan(result.limit);
      expect((await log.info()).lastSeq).toBe(0);
    });

    test("takes a message that is just as large as the log takes, or says that it is too large", async () => {
      // With its headers a message is a few hundred bytes larger than its payload.
      for (const spare of [0, 50, 100, 150, 200, 250, 300, 1_000]) {
        const { lastSeq } = await log.info();
        const close = message(version(lastSeq + 1), "x".repeat(8 * 1024 * 1024 - spare));
        expect(["appended", "tooLarge"]).toContain((await log.append([close], lastSeq)).outcome);
      }
      expect((await log.info()).lastSeq).toBeGreaterThan(0);
    });

    test("throws for a subject outside of the log", async () => {
      await expect(log.append([message("elsewhere.x")], 0)).rejects.toThrow(/elsewhere\.x/);
    });

    test("keeps every byte of payload and header", async () => {
      const payload = Uint8Array.from({ length: 256 }, (_, i) => i);
      const headers = { "Incipit-Signature": "UABC.x-_9" };
      await log.append([message(version(1), "", { payload, headers })], 0);
      const record = await log.get(1);
      expect(record?.payload).toEqual(payload);
      expect(record?.headers).toMatchObject(headers);
      expect(record?.headers).not.toHaveProperty("Nats-Sequence");
    });

    test("takes payloads of 1 MB and more, whole, by every way to read them", async () => {
      const body = "x".repeat(1024 * 1024 + 17);
      await log.append([message(version(1), body), message(version(2), body)], 0);
      const follower = watch(log, { filter: at.subjects.logAll, from: 1 });
      await follower.ready;
      await follower.stop();
      const read = [
        await log.get(2),
        await log.last(version(2)),
        await log.last(version(2), { leader: true }),
      ];
      for (const record of [...follower.records, ...read]) expect(textOf(record) === body).toBe(true);
      expect(follower.records).toHaveLength(2);
    });
  });

  describe("reading", () => {
    test("describes the log", async () => {
      expect(await log.info()).toMatchObject({ stream: at.stream, lastSeq: 0 });
      expect(Number.isNaN(Date.parse((await log.info()).created))).toBe(false);
    });

    test("gives null for what is not there", async () => {
      expect(await log.get(1)).toBeNull();
      await fill(log, [version(1)]);
      for (const seq of [0, -1, 2, 1_000_000]) expect(await log.get(seq)).toBeNull();
      expect(await log.last(version(9))).toBeNull();
      expect(await log.last(version(9), { leader: true })).toBeNull();
    });

    test("finds the last message of a subject or a wildcard", async () => {
      await fill(log, [active("a"), version(1), active("b"), active("a"), version(2)]);
      for (const options of [{}, { leader: true }]) {
        expect((await log.last(active("b"), options))?.seq).toBe(3);
        expect((await log.last(active("a"), options))?.seq).toBe(4);
        expect(await log.last(at.subjects.logNow, options)).toMatchObject({ seq: 4, subject: active("a") });
        expect((await log.last(at.subjects.logAll, options))?.seq).toBe(5);
      }
    });

    test("does not stumble over foreign messages, whatever their headers", async () => {
      const blocks = adapter.rawHeaders
        ? [
            ["b@d na me: x"],
            ["Nats-Sequence: 77", "Nats-Subject: lie"],
            ["no colon"],
            [": empty"],
            ["__proto__: x"],
            ["Ünï: x"],
          ]
        : [];
      await at.write(version(1), "not json");
      await at.write(version(2), "");
      for (const block of blocks) await at.write(version(3), "", block);
      for (const block of blocks) await at.write(version(4), "body", block);
      const total = 2 + 2 * blocks.length;
      // The server has the messages once it answers; the stream a moment later.
      await eventually("all are stored", async () => (await log.info()).lastSeq === total);
      await fill(log, [version(5)]);
      const follower = watch(log, { filter: at.subjects.logAll, from: 1 });
      await follower.ready;
      expect(seqsOf(follower.records)).toEqual(Array.from({ length: total + 1 }, (_, i) => i + 1));
      for (const seen of follower.records) expect(await log.get(seen.seq)).toEqual(seen);
      expect(await log.last(version(4))).toEqual(await log.last(version(4), { leader: true }));
      await follower.stop();
    });
  });

  describe("follow", () => {
    test("is live at once on an empty log, and then gives what comes", async () => {
      const follower = watch(log, { filter: at.subjects.logAll, from: 1 });
      await follower.ready;
      expect(follower.states).toEqual(["live"]);
      await fill(log, [version(1), version(2)]);
      await eventually("both arrive", () => follower.records.length === 2);
      expect(seqsOf(follower.records)).toEqual([1, 2]);
      await follower.stop();
    });

    test("gives what was there before it is live, in order, from the position asked for", async () => {
      await fill(
        log,
        Array.from({ length: 40 }, (_, i) => version(i + 1)),
      );
      const follower = watch(log, { filter: at.subjects.logAll, from: 11 });
      await follower.ready;
      expect(seqsOf(follower.records)).toEqual(Array.from({ length: 30 }, (_, i) => i + 11));
      expect(follower.pending()).toBe(0);
      await follower.stop();
    });

    test("begins at the end where the position asked for is the next one", async () => {
      await fill(log, [version(1), version(2)]);
      const follower = watch(log, { filter: at.subjects.logAll, from: 3 });
      await follower.ready;
      await fill(log, [version(3)]);
      await eventually("the third arrives", () => follower.records.length === 1);
      expect(seqsOf(follower.records)).toEqual([3]);
      await follower.stop();
    });

    test("gives only what the filter lets through", async () => {
      await fill(log, [active("a"), version(1), active("b/c", "staging"), version(2)]);
      const all = watch(log, { filter: at.subjects.logNow, from: 1 });
      const one = watch(log, { filter: `${at.subjects.prefix}.log.now.active.*.b.c`, from: 1 });
      await Promise.all([all.ready, one.ready]);
      expect(seqsOf(all.records)).toEqual([1, 3]);
      expect(seqsOf(one.records)).toEqual([3]);
      await Promise.all([all.stop(), one.stop()]);
    });

    test("is live at once where the filter lets nothing through", async () => {
      await fill(log, [version(1)]);
      for (const from of [1, "lastPerSubject"] as const) {
        const follower = watch(log, { filter: at.subjects.logNow, from });
        await follower.ready;
        expect(follower.records).toEqual([]);
        await follower.stop();
      }
    });

    test("from the last of each subject gives the present state first, then everything new", async () => {
      await fill(log, [active("a"), active("b"), active("a"), version(1), active("c"), active("a")]);
      const follower = watch(log, { filter: at.subjects.logNow, from: "lastPerSubject" });
      await follower.ready;
      expect(seqsOf(follower.records)).toEqual([2, 5, 6]);
      await fill(log, [active("b"), active("b")]);
      await eventually("both arrive", () => follower.records.length === 5);
      expect(seqsOf(follower.records)).toEqual([2, 5, 6, 7, 8]);
      await follower.stop();
    });

    test("never calls again before the last call has returned, and hands over what gathered meanwhile", async () => {
      await fill(
        log,
        Array.from({ length: 3_000 }, (_, i) => version(i + 1)),
      );
      let running = 0;
      let most = 0;
      const follower = watch(log, {
        filter: at.subjects.logAll,
        from: 1,
        async onBatch() {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running--;
        },
      });
      await follower.ready;
      expect(most).toBe(1);
      expect(seqsOf(follower.records)).toEqual(Array.from({ length: 3_000 }, (_, i) => i + 1));
      expect(follower.batches.length).toBeLessThan(1_000);
      expect(Math.max(...follower.batches)).toBeLessThanOrEqual(500);
      await follower.stop();
    });

    test("stops, and fails, where its handler throws", async () => {
      await fill(log, [version(1)]);
      const follower = watch(log, {
        filter: at.subjects.logAll,
        from: 1,
        onBatch: async () => {
          throw new Error("broken handler");
        },
      });
      await expect(follower.failed).rejects.toThrow("broken handler");
      await expect(follower.ready).rejects.toThrow("broken handler");
      await follower.stop();
    });

    test("gives nothing any more once it is stopped", async () => {
      const follower = watch(log, { filter: at.subjects.logAll, from: 1 });
      await follower.ready;
      await follower.stop();
      await fill(log, [version(1)]);
      const other = watch(log, { filter: at.subjects.logAll, from: 1 });
      await other.ready;
      expect(follower.records).toEqual([]);
      await other.stop();
    });

    test("says so where the position asked for is beyond the log", async () => {
      await fill(log, [version(1)]);
      const follower = watch(log, { filter: at.subjects.logAll, from: 3 });
      await expect(follower.failed).rejects.toThrow(LogResetError);
    });

    test("says so where the stream was made anew", async () => {
      await fill(log, [version(1), version(2)]);
      const follower = watch(log, { filter: at.subjects.logAll, from: 1 });
      await follower.ready;
      await at.recreate();
      await expect(follower.failed).rejects.toThrow(LogResetError);
      expect(follower.states.at(-1)).toBe("stale");
    });
  });
}
