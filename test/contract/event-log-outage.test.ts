import { connect, createServer, type Socket } from "node:net";
import type { EventLog } from "@incipit/bus";
import { createSubjects } from "@incipit/events";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { apiCall, openBus } from "../support/log-adapters.ts";
import { fill, message, seqsOf, watch } from "../support/log-messages.ts";
import { natsKinds, startTestServer, type TestServer } from "../support/nats-servers.ts";

const subjects = createSubjects("o");
const stream = "O";
const all = subjects.logAll;
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const isInOrder = (seqs: number[]) => seqs.every((seq, i) => i === 0 || seq > (seqs[i - 1] as number));

for (const { name, bin } of await natsKinds())
  describe.skipIf(bin === null)(`an outage of ${name}`, () => {
    const cleanup: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const step of cleanup.splice(0).toReversed()) await step();
    });

    async function start() {
      const server = await startTestServer(bin as string);
      cleanup.push(server.dispose);
      const bus = await openBus(server.url);
      cleanup.push(bus.close);
      await bus.ensureStream({ stream, subjects, replicas: 1 });
      return { server, bus, log: bus.log({ stream, subjects }) };
    }

    test("killed while idle: stale, then live again, nothing lost or twice", async () => {
      const { server, bus, log } = await start();
      await fill(
        log,
        upTo(5).map((n) => subjects.logVersion("a", n)),
      );
      const follower = watch(log, { filter: all, from: 1 });
      await follower.ready;
      for (let round = 1; round <= 3; round++) {
        await server.kill();
        await eventually("it is stale", () => follower.states.at(-1) === "stale");
        expect(bus.isConnected()).toBe(false);
        await server.restart();
        await eventually("it is live again", () => follower.states.at(-1) === "live");
        await fill(log, [subjects.logVersion("a", 5 + round)]);
        await eventually("the new one arrives", () => follower.records.length === 5 + round);
      }
      expect(seqsOf(follower.records)).toEqual(upTo(8));
      expect(follower.states).toEqual(["live", "stale", "live", "stale", "live", "stale", "live"]);
      await follower.stop();
    });

    test("killed in mid-burst: what was acknowledged arrives, in order, once", async () => {
      const { server, log } = await start();
      const full = watch(log, { filter: all, from: 1 });
      const now = watch(log, { filter: subjects.logNow, from: "lastPerSubject" });
      let end = 0;
      let acknowledged = 0;
      const writers = new AbortController();
      async function write() {
        for (let n = 1; !writers.signal.aborted; n++) {
          const key = `k${n % 7}`;
          const subject = n % 2 === 0 ? subjects.logVersion(key, n) : subjects.logActive(key, "production");
          const result = await log.append([message(subject)], end);
          if (result.outcome === "appended") acknowledged = end = result.seqs[0] as number;
          else
            await eventually(
              "the log answers",
              async () => (await lastSeq(log, (seq) => (end = seq))) !== null,
            );
        }
      }
      const writing = write();
      for (let round = 1; round <= 3; round++) {
        const goal = acknowledged + 300;
        await eventually("there is a burst", () => acknowledged > goal);
        await server.kill();
        await server.restart();
      }
      const goal = acknowledged + 100;
      await eventually("writing goes on", () => acknowledged > goal);
      writers.abort();
      await writing;
      const last = (await log.info()).lastSeq;
      expect(last).toBeGreaterThanOrEqual(acknowledged);
      await eventually("all arrive", () => full.records.at(-1)?.seq === last);
      expect(seqsOf(full.records)).toEqual(upTo(last));
      const wanted = full.records.filter(({ subject }) => subject.startsWith("o.log.now."));
      await eventually("all of now arrive", () => now.records.at(-1)?.seq === wanted.at(-1)?.seq);
      const tail = seqsOf(now.records);
      expect(isInOrder(tail)).toBe(true);
      expect(tail.slice(-50)).toEqual(seqsOf(wanted).slice(-50));
      await Promise.all([full.stop(), now.stop()]);
    });

    test("a log that lost its end at the restart is another log", async () => {
      const { server, log } = await start();
      await fill(log, [subjects.logVersion("a", 1)]);
      const follower = watch(log, { filter: all, from: 1 });
      await follower.ready;
      await apiCall(server.port, `STREAM.DELETE.${stream}`, {});
      await server.kill();
      await server.restart();
      const other = await openBus(server.url);
      cleanup.push(other.close);
      await other.ensureStream({ stream, subjects, replicas: 1 });
      await fill(
        other.log({ stream, subjects }),
        upTo(4).map((n) => subjects.logVersion("b", n)),
      );
      await expect(follower.failed).rejects.toThrow(/another one now/);
    });

    test("appending into an outage has an unknown outcome at once, and reading throws", async () => {
      const { server, bus, log } = await start();
      const pause = pauseServer(server);
      const appending = log.append([message(subjects.logVersion("a", 1))], 0);
      const reading = log.info().catch((error: unknown) => error);
      pause.resume();
      await server.kill();
      expect((await appending).outcome).toMatch(/unknown|appended/);
      await reading;
      await eventually("it is disconnected", () => !bus.isConnected());
      const began = Date.now();
      expect(await log.append([message(subjects.logVersion("a", 2))], 0)).toMatchObject({
        outcome: "unknown",
      });
      await expect(log.get(1)).rejects.toThrow(/connection/);
      await expect(log.last(all)).rejects.toThrow(/connection/);
      await expect(log.info()).rejects.toThrow(/no answer/);
      expect(Date.now() - began).toBeLessThan(500);
    });

    test("a server that falls silent is noticed within about ten seconds, and caught up with", async () => {
      const { server, log } = await start();
      const follower = watch(log, { filter: all, from: 1 });
      await follower.ready;
      const began = Date.now();
      const pause = pauseServer(server);
      await eventually("it is stale", () => follower.states.at(-1) === "stale", 15_000);
      expect(Date.now() - began).toBeLessThan(12_000);
      pause.resume();
      await eventually("it is live again", () => follower.states.at(-1) === "live");
      await fill(log, [subjects.logVersion("a", 1)]);
      await eventually("it arrives", () => follower.records.length === 1);
      await follower.stop();
    });

    test("a consumer that somebody deletes is replaced", async () => {
      const { server, log } = await start();
      await fill(log, [subjects.logVersion("a", 1)]);
      const follower = watch(log, { filter: all, from: 1 });
      await follower.ready;
      const { consumers } = await apiCall(server.port, `CONSUMER.NAMES.${stream}`, {});
      for (const consumer of consumers as string[])
        await apiCall(server.port, `CONSUMER.DELETE.${stream}.${consumer}`, {});
      await fill(log, [subjects.logVersion("a", 2)]);
      await eventually("the second arrives", () => follower.records.length === 2);
      expect(seqsOf(follower.records)).toEqual([1, 2]);
      await follower.stop();
    });

    test("a slow handler of 3,000 messages of 10 KB is never overrun, and a cut line loses nothing", async () => {
      const { server, bus, log } = await start();
      let end = 0;
      for (let n = 1; n <= 3_000; n += 100) {
        const batch = upTo(100).map((i) => message(subjects.logVersion("a", n + i - 1), "x".repeat(10_000)));
        const result = await log.append(batch, end);
        if (result.outcome !== "appended") throw new Error(result.outcome);
        end = result.seqs.at(-1) as number;
      }
      const line = await cutLine(server.port);
      cleanup.push(() => line.close());
      const other = await openBus(`nats://127.0.0.1:${line.port}`);
      cleanup.push(other.close);
      let batches = 0;
      const follower = watch(other.log({ stream, subjects }), {
        filter: all,
        from: 1,
        async onBatch() {
          if (++batches % 5 === 0) line.cut();
          await new Promise((resolve) => setTimeout(resolve, 5));
        },
      });
      await follower.ready;
      expect(seqsOf(follower.records)).toEqual(upTo(3_000));
      expect(bus.isConnected()).toBe(true);
      await follower.stop();
    });

    test("a follower waits for a stream that is not there yet", async () => {
      const server = await startTestServer(bin as string);
      cleanup.push(server.dispose);
      const bus = await openBus(server.url);
      cleanup.push(bus.close);
      const log = bus.log({ stream, subjects });
      const follower = watch(log, { filter: subjects.logNow, from: "lastPerSubject" });
      await expect(log.info()).rejects.toThrow(/no stream O/);
      const result = await log.append([message(subjects.logVersion("a", 1))], 0);
      expect(result).toMatchObject({ outcome: "unknown" });
      if (result.outcome === "unknown") expect(String(result.cause)).toMatch(/no stream/);
      await bus.ensureStream({ stream, subjects, replicas: 1 });
      await follower.ready;
      await follower.stop();
    });
  });

/** The last position, or null while the log cannot be asked. */
async function lastSeq(log: EventLog, found: (seq: number) => void): Promise<number | null> {
  try {
    const { lastSeq: seq } = await log.info();
    found(seq);
    return seq;
  } catch {
    return null;
  }
}

/** Freezes a server: its connections stay open and nothing answers. */
function pauseServer(server: TestServer): { resume: () => void } {
  const { pid } = server;
  if (pid === null) throw new Error("the server does not run");
  process.kill(pid, "SIGSTOP");
  return { resume: () => process.kill(pid, "SIGCONT") };
}

/** A line to a server that can be cut; whoever was on it can dial again. */
async function cutLine(to: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const { port } = server.address() as { port: number };
  return {
    port,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
