import type { LogRecord } from "@incipit/events";
import { nuid } from "nats";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import { readArrival, type Delivery } from "./delivery.ts";
import { callApi } from "./jetstream-api.ts";

/** Where a consumer starts. */
export type ConsumerStart = { seq: number } | "lastPerSubject";

/** What one look at a consumer gives: records in order, and the word to say once they are handled. */
type Batch = {
  records: LogRecord[];
  /** All that was pending when the consumer was made has been handed out, with this batch. */
  caughtUp: boolean;
  /** Call when the records are handled: the server may be waiting for that. */
  done: () => void;
};

/** An ordered consumer: it hands out each position once, in order, and ends at the first doubt. */
export type PushConsumer = {
  /** Whether nothing was pending when it was made. */
  startedCaughtUp: boolean;
  /** The next records, as many as have arrived, at most 500; null once the consumer has ended. */
  next: () => Promise<Batch | null>;
  /** Matching messages not yet handed out. */
  pending: () => number;
  /** Ends it, for a reason that is logged. What has arrived and was not handed out is dropped. */
  end: (reason: string) => void;
  /** Why it ended; null while it runs. */
  readonly endReason: string | null;
};

/** Most records of one batch. */
const BATCH_RECORDS = 500;
/** How often an idle server says that it is alive. Nanoseconds: two seconds. */
const HEARTBEAT_NS = 2_000_000_000;
/** How long the server keeps a consumer nobody listens to. Nanoseconds: ten seconds. */
const INACTIVE_NS = 10_000_000_000;
/** Looks without a sign of life after which a server counts as silent; one look a second. */
const SILENT_LOOKS = 5;
const LOOK_MS = 1_000;

const createdSchema = z.object({
  num_pending: z.int().min(0),
  delivered: z.object({ consumer_seq: z.int().min(0) }),
});

type Item = { delivery: Delivery } | { answerTo: string } | "idle";

/** Makes an ephemeral consumer in memory, without acknowledgements, with flow control and heartbeats. */
export async function openPushConsumer(
  connection: Connection,
  stream: string,
  filter: string,
  start: ConsumerStart,
): Promise<PushConsumer> {
  const { nats } = connection;
  const inbox = connection.createInbox();
  const queue: Item[] = [];
  let wake: (() => void) | null = null;
  let received = 0;
  let handed = 0;
  let behind = 0;
  let goal = Infinity;
  let caughtUpOnce = false;
  let silentLooks = 0;
  let endReason: string | null = null;

  const subscription = nats.subscribe(inbox, {
    callback: (error, message) => {
      if (error) return end(error.message);
      silentLooks = 0;
      const arrival = readArrival(message, inbox);
      if (arrival.kind === "record") accept(arrival.delivery);
      else if (arrival.kind === "flow") enqueue({ answerTo: arrival.answerTo });
      else if (arrival.kind === "end") end(arrival.reason);
      else if (arrival.lastConsumerSeq !== received)
        end(`messages up to ${arrival.lastConsumerSeq} did not arrive`);
      else if (arrival.answerTo !== null) enqueue({ answerTo: arrival.answerTo });
      // A server that is idle, and not stalled, has nothing left to send. Its counts can say otherwise: one that is storing
      // while the consumer is made may count a message twice (seen with 2.9.10), and then neither sign below ever comes.
      else {
        behind = 0;
        if (received > 0 && !caughtUpOnce) enqueue("idle");
      }
    },
  });
  const unwatch = connection.onState((state) => {
    if (state === "disconnected" || state === "closed") end("the connection is lost");
  });
  // Looks are counted, not measured: a process that was busy for long finds its messages before it counts on.
  const looks = setInterval(() => {
    if (++silentLooks > SILENT_LOOKS) end("the server is silent");
  }, LOOK_MS);

  function accept(delivery: Delivery) {
    if (delivery.consumerSeq !== received + 1)
      return end(`message ${delivery.consumerSeq} came after ${received}`);
    received = delivery.consumerSeq;
    behind = delivery.pending;
    enqueue({ delivery });
  }
  function enqueue(item: Item) {
    if (endReason !== null) return;
    queue.push(item);
    wake?.();
  }
  function end(reason: string) {
    if (endReason !== null) return;
    endReason = reason;
    clearInterval(looks);
    unwatch();
    queue.length = 0;
    if (!nats.isClosed()) subscription.unsubscribe();
    wake?.();
  }

  function take(): Batch {
    const records: LogRecord[] = [];
    const answers: string[] = [];
    let caughtUp = false;
    let count = 0;
    for (; count < queue.length && records.length < BATCH_RECORDS; count++) {
      const item = queue[count] as Item;
      if (item === "idle") caughtUp = true;
      else if ("answerTo" in item) answers.push(item.answerTo);
      else {
        records.push(item.delivery.record);
        handed = item.delivery.consumerSeq;
        caughtUp ||= handed >= goal || item.delivery.pending === 0;
      }
    }
    queue.splice(0, count);
    caughtUpOnce ||= caughtUp;
    const done = () => {
      if (endReason === null) for (const answer of answers) nats.publish(answer);
    };
    return { records, caughtUp, done };
  }

  try {
    const created = await createConsumer(connection, stream, filter, start, inbox);
    goal = created.num_pending + created.delivered.consumer_seq;
    behind = Math.max(0, goal - received);
  } catch (error) {
    end("it was not made");
    throw error;
  }
  return {
    startedCaughtUp: goal === 0,
    async next() {
      for (;;) {
        if (endReason !== null) return null;
        if (queue.length > 0) return take();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    pending: () => behind + received - handed,
    end,
    get endReason() {
      return endReason;
    },
  };
}

async function createConsumer(
  connection: Connection,
  stream: string,
  filter: string,
  start: ConsumerStart,
  inbox: string,
) {
  const name = nuid.next();
  const config = {
    name,
    deliver_subject: inbox,
    filter_subject: filter,
    ...(start === "lastPerSubject"
      ? { deliver_policy: "last_per_subject" }
      : { deliver_policy: "by_start_sequence", opt_start_seq: start.seq }),
    ack_policy: "none",
    max_deliver: 1,
    replay_policy: "instant",
    flow_control: true,
    idle_heartbeat: HEARTBEAT_NS,
    inactive_threshold: INACTIVE_NS,
    mem_storage: true,
    num_replicas: 1,
  };
  const payload = { stream_name: stream, config };
  return callApi(connection, `CONSUMER.CREATE.${stream}.${name}.${filter}`, payload, createdSchema);
}
