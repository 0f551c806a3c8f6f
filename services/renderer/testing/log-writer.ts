import type { Json } from "@incipit/schema";
import { nodePrimitives, type AppendMessage, type EventLog } from "@incipit/bus";
import {
  CHAIN_START,
  chainHash,
  createSubjects,
  encodeEnvelope,
  CATALOGUE,
  type LogRecord,
  type PromptEvent,
  type EventData,
} from "@incipit/events";

/** How messages are read in these tests. */
export const admit = { primitives: nodePrimitives, subjects: createSubjects() };

/** What an event's envelope may be told to say instead of the truth. */
export type Lie = { index?: number; prev?: string; type?: string; v?: number };

/** Writes what a registry would append: valid envelopes on one chain. */
export type LogWriter = {
  /** The next message of the chain. A lie is written too, and does not move the chain. */
  message: (event: PromptEvent, lie?: Lie) => AppendMessage;
};

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** A writer at the start of the chain. */
export function createLogWriter(): LogWriter {
  let chain = CHAIN_START;
  let count = 0;
  return {
    message(event, lie = {}) {
      const subject = admit.subjects.logOf(event);
      count++;
      const id = `01890a5d-ac96-774b-bcce-${count.toString(16).padStart(12, "0")}`;
      const payload = new TextEncoder().encode(
        encodeEnvelope({
          id,
          type: event.type,
          v: CATALOGUE[event.type].v,
          at: "2026-01-02T03:04:05.678Z",
          actor: "alice",
          commandId: `command-${count}`,
          commandHash: "a".repeat(64),
          trace: TRACE,
          index: chain.index + 1,
          prev: chain.head,
          data: event.data,
          ...lie,
        }),
      );
      if (Object.keys(lie).length === 0)
        chain = { index: chain.index + 1, head: chainHash(nodePrimitives, subject, payload) };
      return { id, subject, payload };
    },
  };
}

/** A message as a follower would hand it over. */
export function recordOf({ subject, payload }: AppendMessage, seq: number): LogRecord {
  return { seq, subject, payload, headers: {} };
}

/** A stored version; version 0 is a seed. */
export function added(
  key: string,
  version: number,
  body: string,
  change: Partial<EventData<"TemplateAdded">> = {},
): PromptEvent {
  return {
    type: "TemplateAdded",
    data: {
      key,
      version,
      kind: key.startsWith("_partials/") ? "partial" : "prompt",
      syntax: "handlebars",
      body,
      source: version === 0 ? "seed" : "user",
      contract: null,
      onError: "fail",
      config: null,
      tags: [],
      note: "",
      hash: nodePrimitives.sha256(body),
      ...change,
    },
  };
}

/** A published contract. */
export function published(name: string, version: number, document: Record<string, Json>): PromptEvent {
  const hash = nodePrimitives.sha256(JSON.stringify(document));
  return { type: "ContractPublished", data: { name, version, document, note: "", hash } };
}

/** A label moved to a version. */
export function activated(key: string, version: number, label = "production"): PromptEvent {
  return { type: "TemplateActivated", data: { key, label, version, previous: null, note: "" } };
}

/** A label taken away. */
export function deactivated(key: string, previous: number, label = "production"): PromptEvent {
  return { type: "TemplateDeactivated", data: { key, label, previous, note: "" } };
}

/** Appends to a log as its only writer. */
export type LogAuthor = {
  /** Appends events; gives the position of the last. */
  write: (...events: PromptEvent[]) => Promise<number>;
  /** Appends one message as it is. */
  append: (message: AppendMessage) => Promise<number>;
  writer: LogWriter;
};

/** An author of a log that is empty. */
export function createLogAuthor(log: EventLog): LogAuthor {
  const writer = createLogWriter();
  async function append(message: AppendMessage): Promise<number> {
    const outcome = await log.append([message], (await log.info()).lastSeq);
    if (outcome.outcome !== "appended") throw new Error(`the append came to ${outcome.outcome}`);
    return outcome.seqs.at(-1) ?? 0;
  }
  return {
    writer,
    append,
    async write(...events) {
      let seq = 0;
      for (const event of events) seq = await append(writer.message(event));
      return seq;
    },
  };
}
