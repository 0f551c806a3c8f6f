import type { LogRecord } from "@incipit/events";
import type { Connection } from "./connection.ts";
import { LogResetError, type Follower, type FollowOptions } from "./event-log.ts";
import { createFollowProgress } from "./follow-state.ts";
import { openPushConsumer, type PushConsumer } from "./push-consumer.ts";
import { streamInfo, type StreamInfo } from "./stream.ts";

/** Waits between attempts to begin again: doubled each time, halved at random. */
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 2_000;

/**
 * Follows a stream for ever, through one ordered consumer after the other. Each new one begins at the last record that was
 * handed over, inclusive: that it is still there and the same shows that the log is still the one that was followed.
 */
export function followStream(connection: Connection, stream: string, options: FollowOptions): Follower {
  const progress = createFollowProgress(options.onState);
  const stopping = new AbortController();
  let consumer: PushConsumer | null = null;
  let lastRecord: LogRecord | null = null;
  let created: string | null = null;
  let advanced = false;

  const unwatch = connection.onState((state) => {
    if (state === "disconnected" || state === "closed") progress.enter("stale");
  });

  async function open(): Promise<PushConsumer> {
    const start = lastRecord ? { seq: lastRecord.seq } : options.from;
    const opened = await openPushConsumer(
      connection,
      stream,
      options.filter,
      typeof start === "number" ? { seq: Math.max(1, start) } : start,
    );
    try {
      // Asked after the consumer was made: had the stream been replaced since, the consumer would have ended with it.
      const info = await streamInfo(connection, stream);
      if (info === null) throw new Error(`There is no stream ${stream}.`);
      const problem = resetProblem(info, opened);
      if (problem !== null) throw new LogResetError(`The log ${stream} is another one now: ${problem}.`);
      return opened;
    } catch (error) {
      opened.end("it was not needed");
      throw error;
    }
  }

  function resetProblem(info: StreamInfo, opened: PushConsumer): string | null {
    if (created !== null && info.created !== created)
      return `it was made at ${info.created}, the one that was followed at ${created}`;
    created = info.created;
    const reached = lastRecord?.seq ?? (typeof options.from === "number" ? options.from - 1 : 0);
    if (info.state.last_seq < reached)
      return `it ends at ${info.state.last_seq}, and had been read up to ${reached}`;
    return lastRecord && opened.startedCaughtUp ? `nothing is left of position ${lastRecord.seq}` : null;
  }

  /** Hands over what one consumer gives, until it ends. */
  async function drain(from: PushConsumer): Promise<void> {
    let expected = lastRecord;
    if (from.startedCaughtUp) progress.enter("live");
    for (let batch = await from.next(); batch !== null; batch = await from.next()) {
      let { records } = batch;
      if (expected && records[0]) {
        if (!isSame(records[0], expected))
          throw new LogResetError(
            `The log ${stream} is another one now: position ${expected.seq} holds another message.`,
          );
        records = records.slice(1);
        expected = null;
      }
      if (records.length > 0) await options.onRecords(records);
      lastRecord = records.at(-1) ?? lastRecord;
      advanced = true;
      batch.done();
      if (batch.caughtUp && from.endReason === null) progress.enter("live");
    }
  }

  async function run(): Promise<void> {
    let retryMs = RETRY_MIN_MS;
    while (!stopping.signal.aborted) {
      advanced = false;
      try {
        await untilConnected(connection, stopping.signal);
        if (stopping.signal.aborted) return;
        consumer = await open();
        if (stopping.signal.aborted) consumer.end("following is stopped");
      } catch (error) {
        if (error instanceof LogResetError) throw error;
        connection.logger.warn({ err: error, stream }, "cannot follow the log yet");
      }
      if (consumer) {
        await drain(consumer);
        if (!stopping.signal.aborted) {
          connection.logger.warn({ stream, reason: consumer.endReason }, "following the log begins again");
          progress.enter("stale");
        }
        consumer = null;
      }
      retryMs = advanced ? RETRY_MIN_MS : Math.min(RETRY_MAX_MS, retryMs * 2);
      await pause(retryMs * (0.5 + Math.random() / 2), stopping.signal);
    }
  }

  const running = run()
    .catch((error: unknown) => {
      progress.enter("stale");
      progress.fail(error);
    })
    .finally(() => {
      unwatch();
      consumer?.end("following has ended");
    });

  return {
    ready: progress.ready,
    failed: progress.failed,
    pending: () => consumer?.pending() ?? 0,
    async stop() {
      stopping.abort();
      consumer?.end("following is stopped");
      await running;
    },
  };
}

function isSame(a: LogRecord, b: LogRecord): boolean {
  return a.seq === b.seq && a.subject === b.subject && Buffer.compare(a.payload, b.payload) === 0;
}

async function untilConnected(connection: Connection, signal: AbortSignal): Promise<void> {
  if (connection.isConnected() || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      unwatch();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const unwatch = connection.onState(finish);
    signal.addEventListener("abort", finish);
  });
  return untilConnected(connection, signal);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish);
    if (signal.aborted) finish();
  });
}
