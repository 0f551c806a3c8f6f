import { createSubjects, DEFAULT_STREAM, type Subjects } from "@incipit/events";
import { ConnectionLostError } from "./connection.ts";
import type { AppendMessage, AppendOutcome, EventLog } from "./event-log.ts";
import { followMemory, type MemoryFeed } from "./memory-follower.ts";
import { isStored } from "./record.ts";
import { createMemoryStore } from "./memory-store.ts";

/** The log in memory. */
export type MemoryLogOptions = {
  /** Default `PROMPTS`. */
  stream?: string;
  /** Default: the grammar under the default prefix. */
  subjects?: Subjects;
  /** How long a message id is remembered, in milliseconds; two minutes unless told otherwise. */
  duplicateWindowMs?: number;
  /** The largest payload, in bytes; 8 MiB unless told otherwise, as in the shipped servers. */
  maxBytes?: number;
};

/** What can be done to a log in memory that its users cannot do: for tests. */
export type MemoryLogControls = {
  /** The next message is stored, and its acknowledgement never comes. */
  loseNextAck: () => void;
  /** The next message is lost on its way: not stored, never acknowledged. */
  loseNextMessage: () => void;
  disconnect: () => void;
  reconnect: () => void;
  /** Stores a message past the append protocol, as somebody else's program would. Returns its position. */
  write: (subject: string, payload: Uint8Array, headers?: Readonly<Record<string, string>>) => number;
  /** Makes the stream anew, empty. */
  reset: () => void;
};

const MAX_BYTES = 8 * 1024 * 1024;

/** A log in memory that behaves like the stream: for tests, and for whoever embeds the services without a bus. */
export function createMemoryLog(options: MemoryLogOptions = {}): {
  log: EventLog;
  controls: MemoryLogControls;
} {
  const {
    stream = DEFAULT_STREAM,
    subjects = createSubjects(),
    duplicateWindowMs = 120_000,
    maxBytes = MAX_BYTES,
  } = options;
  const ours = subjects.logAll.slice(0, -1);
  const listeners = new Set<() => void>();
  const feed: MemoryFeed = {
    stream,
    store: createMemoryStore(duplicateWindowMs),
    connected: true,
    generation: 0,
    onChange(callback) {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
  };
  let created = new Date().toISOString();
  let losing: "ack" | "message" | null = null;

  function changed() {
    for (const listener of listeners) listener();
  }

  /** One trip to where the log is kept: never done at once, and impossible while disconnected. */
  async function reach() {
    await Promise.resolve();
    if (!feed.connected) throw new ConnectionLostError("There is no connection to the log.");
  }

  function send(message: AppendMessage, expectedLastSeq: number) {
    const lost = losing;
    losing = null;
    const cause = new ConnectionLostError("No acknowledgement came.");
    if (lost === "message") return { outcome: "unknown", cause } as const;
    const headers = {
      ...message.headers,
      "Nats-Msg-Id": message.id,
      "Nats-Expected-Stream": stream,
      "Nats-Expected-Last-Sequence": String(expectedLastSeq),
    };
    const { subject, payload } = message;
    const result = feed.store.store({ subject, payload, headers }, expectedLastSeq);
    if (result.outcome === "stored") changed();
    return lost === "ack" ? ({ outcome: "unknown", cause } as const) : result;
  }

  async function append(messages: readonly AppendMessage[], expectedLastSeq: number): Promise<AppendOutcome> {
    const stray = messages.find(({ subject }) => !subject.startsWith(ours));
    if (stray) throw new Error(`${stray.subject} is not a subject of the log ${subjects.logAll}.`);
    const bytes = Math.max(0, ...messages.map(({ payload }) => payload.length));
    if (bytes > maxBytes) return { outcome: "tooLarge", bytes, limit: maxBytes };
    const seqs: number[] = [];
    for (const message of messages) {
      try {
        await reach();
      } catch (cause) {
        return { outcome: "unknown", cause };
      }
      const before = seqs.at(-1) ?? expectedLastSeq;
      const result = send(message, before);
      if (result.outcome === "unknown") return result;
      if (result.outcome === "wrongLastSequence" && isStored(feed.store.get(before + 1), message))
        seqs.push(before + 1);
      else if (result.outcome === "wrongLastSequence") {
        const cause = new Error("somebody else wrote in between");
        return seqs.length === 0 ? { outcome: "conflict" } : { outcome: "unknown", cause };
      } else seqs.push(result.seq);
    }
    return { outcome: "appended", seqs };
  }

  const log: EventLog = {
    async info() {
      await reach();
      return { stream, created, lastSeq: feed.store.lastSeq() };
    },
    append,
    async get(seq) {
      await reach();
      return feed.store.get(seq);
    },
    async last(subject) {
      await reach();
      return feed.store.last(subject);
    },
    follow: (follow) => followMemory(feed, follow),
  };

  function setConnected(connected: boolean) {
    feed.connected = connected;
    changed();
  }
  const controls: MemoryLogControls = {
    loseNextAck: () => void (losing = "ack"),
    loseNextMessage: () => void (losing = "message"),
    disconnect: () => setConnected(false),
    reconnect: () => setConnected(true),
    write(subject, payload, headers = {}) {
      const result = feed.store.store({ subject, payload, headers });
      changed();
      return result.outcome === "wrongLastSequence" ? feed.store.lastSeq() : result.seq;
    },
    reset() {
      feed.store = createMemoryStore(duplicateWindowMs);
      feed.generation++;
      created = new Date().toISOString();
      changed();
    },
  };
  return { log, controls };
}
