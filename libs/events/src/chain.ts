import type { z } from "zod";
import { CATALOGUE, isEventType, type PromptEvent } from "./catalogue.ts";
import { envelopeSchema, type Envelope } from "./envelope.ts";
import { HEADERS, type Subjects } from "./subjects.ts";
import { upcast } from "./upcasts.ts";

/** What the pure code needs from a platform: hashing and strict decoding. */
export type Primitives = {
  /** sha-256 over the parts one after the other (strings as UTF-8), in lower-case hex. */
  sha256: (...parts: (string | Uint8Array)[]) => string;
  /** Decodes UTF-8; null where the bytes are not. */
  decodeUtf8: (bytes: Uint8Array) => string | null;
};

/** How far a reader has come along the chain: valid events so far, and the chain hash of the last. */
export type ChainState = { index: number; head: string };

/** Before the first event. */
export const CHAIN_START: ChainState = { index: 0, head: "0".repeat(64) };

/** One message of the log, as stored. */
export type LogRecord = {
  seq: number;
  subject: string;
  payload: Uint8Array;
  headers: Readonly<Record<string, string>>;
};

/** The chain hash of a stored message: over its subject and its very bytes, never over re-serialised JSON. */
export function chainHash(primitives: Primitives, subject: string, payload: Uint8Array | string): string {
  return primitives.sha256("incipit.v1\n", subject, "\n", payload);
}

/** Checks a signature header against a chain hash; null where it is good, else what is wrong. */
export type SignatureCheck = (chainHash: string, header: string | undefined) => string | null;

/**
 * What is wrong with a rejected message: it claims a place in the chain that it does not have; it is no event, or not the
 * one that its subject says; or its signature is missing or bad.
 */
export type Fault = "chain" | "content" | "signature";

/** A message that is not ours; `reason` is a sentence for people, `fault` is for programs. */
type Rejection = { status: "rejected"; reason: string; fault: Fault };

/** What became of one message of the log, the same for every reader. */
export type Admission =
  /** A valid event of this release, with its data in the current shape. */
  | { status: "event"; event: PromptEvent; envelope: Envelope; chain: ChainState }
  /** A well-chained event of a later release: it counts in the chain and is not applied. */
  | { status: "newer"; envelope: Envelope; chain: ChainState }
  /** Not ours: skipped. Its sequence still counts. */
  | Rejection;

/** What reading the log takes. `checkSignature` is set where verification keys are configured. */
export type AdmitOptions = { primitives: Primitives; subjects: Subjects; checkSignature?: SignatureCheck };

/** Reads one message that follows `chain`: parses it, checks chain, subject and signature, and upcasts its data. */
export function admit(record: LogRecord, chain: ChainState, options: AdmitOptions): Admission {
  const read = readEnvelope(record, options);
  if (!read.ok) return read.rejection;
  const { envelope, hash } = read;
  if (envelope.index !== chain.index + 1)
    return reject("chain", `index ${envelope.index} does not follow ${chain.index}`);
  if (envelope.prev !== chain.head)
    return reject("chain", `prev does not match the chain head at index ${chain.index}`);
  const next: ChainState = { index: envelope.index, head: hash };
  const event = readEvent(record.subject, envelope, options);
  if (event.status === "event") return { status: "event", event: event.event, envelope, chain: next };
  if (event.status === "newer") return { status: "newer", envelope, chain: next };
  return event;
}

/** What a reader of single messages, who does not follow the chain, can say of one. */
export type Reading =
  | { status: "event"; event: PromptEvent; envelope: Envelope }
  | { status: "newer"; envelope: Envelope }
  | Rejection;

/** Reads one message on its own: everything `admit` checks but its place in the chain. */
export function readRecord(record: LogRecord, options: AdmitOptions): Reading {
  const read = readEnvelope(record, options);
  return read.ok ? readEvent(record.subject, read.envelope, options) : read.rejection;
}

const reject = (fault: Fault, reason: string): Rejection => ({ status: "rejected", reason, fault });

type EnvelopeReading = { ok: true; envelope: Envelope; hash: string } | { ok: false; rejection: Rejection };

function readEnvelope(record: LogRecord, { primitives, checkSignature }: AdmitOptions): EnvelopeReading {
  const refuse = (fault: Fault, reason: string) => ({ ok: false, rejection: reject(fault, reason) }) as const;
  const text = primitives.decodeUtf8(record.payload);
  if (text === null) return refuse("content", "the payload is not UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("content", "the payload is not JSON");
  }
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success) return refuse("content", `not an envelope: ${sayIssue(envelope.error)}`);
  const hash = chainHash(primitives, record.subject, record.payload);
  const wrong = checkSignature?.(hash, record.headers[HEADERS.signature]) ?? null;
  return wrong === null ? { ok: true, envelope: envelope.data, hash } : refuse("signature", wrong);
}

function readEvent(subject: string, envelope: Envelope, { primitives, subjects }: AdmitOptions): Reading {
  const { type, v } = envelope;
  if (!isEventType(type) || v > CATALOGUE[type].v) return { status: "newer", envelope };
  const data = CATALOGUE[type].data.safeParse(upcast(type, v, envelope.data));
  if (!data.success) return reject("content", `not a ${type}: ${sayIssue(data.error)}`);
  const event = { type, data: data.data } as PromptEvent;
  if (subjects.logOf(event) !== subject)
    return reject("content", `a ${type} of other data belongs on this subject`);
  if (event.type === "TemplateAdded" && primitives.sha256(event.data.body) !== event.data.hash)
    return reject("content", "the hash does not match the body");
  return { status: "event", event, envelope };
}

/** Where the first thing stands that a schema did not find right, and what it is. */
function sayIssue({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trimEnd();
}
