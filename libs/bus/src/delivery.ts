import type { LogRecord } from "@incipit/events";
import type { Msg } from "nats";
import { headersOf, readHeaders } from "./record.ts";

/** One message as a push consumer hands it out. */
export type Delivery = {
  record: LogRecord;
  /** Counts what this consumer handed out, from 1. */
  consumerSeq: number;
  /** Matching messages behind this one. */
  pending: number;
};

/** What arrives on a push consumer's inbox. */
export type Arrival =
  | { kind: "record"; delivery: Delivery }
  /** The server is alive. `lastConsumerSeq`: how many messages it has handed out. `answerTo`: it waits for our word. */
  | { kind: "heartbeat"; lastConsumerSeq: number; answerTo: string | null }
  /** The server waits until we have handled what came before this. */
  | { kind: "flow"; answerTo: string }
  /** The consumer is at its end. */
  | { kind: "end"; reason: string };

/**
 * Reads a message on the inbox of a push consumer. What is stored keeps its subject; what the server says itself comes
 * on the inbox's own subject, and only that tells them apart: a stored message may carry any status header.
 */
export function readArrival(message: Msg, inbox: string): Arrival {
  const headers = headersOf(message);
  if (message.subject !== inbox) {
    const place = readAckSubject(message.reply ?? "");
    if (place === null) return { kind: "end", reason: "a message came without its position" };
    const { seq, consumerSeq, pending } = place;
    // A copy: the client's bytes are a view into everything that arrived with them.
    const payload = new Uint8Array(message.data);
    const record = { seq, subject: message.subject, payload, headers: readHeaders(headers) };
    return { kind: "record", delivery: { record, consumerSeq, pending } };
  }
  if (headers?.code !== 100) return { kind: "end", reason: headers?.status ?? "an unknown message came" };
  if (message.reply) return { kind: "flow", answerTo: message.reply };
  const stalled = headers.get("Nats-Consumer-Stalled");
  return {
    kind: "heartbeat",
    lastConsumerSeq: Number(headers.get("Nats-Last-Consumer")),
    answerTo: stalled === "" ? null : stalled,
  };
}

/**
 * Reads `$JS.ACK.<stream>.<consumer>.<deliveries>.<seq>.<consumerSeq>.<time>.<pending>`, or the longer form with a domain
 * and an account in front of the stream.
 */
function readAckSubject(subject: string): { seq: number; consumerSeq: number; pending: number } | null {
  const tokens = subject.split(".");
  if (tokens[0] !== "$JS" || tokens[1] !== "ACK" || tokens.length < 9) return null;
  const shift = tokens.length >= 11 ? 2 : 0;
  const [seq, consumerSeq, , pending] = tokens.slice(5 + shift).map(Number);
  return isCount(seq) && isCount(consumerSeq) && isCount(pending) ? { seq, consumerSeq, pending } : null;
}

const isCount = (value: number | undefined): value is number => Number.isSafeInteger(value);
