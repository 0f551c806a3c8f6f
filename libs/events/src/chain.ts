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

/** What became of one message of the log, the same for every reader. */
export type Admission =
  /** A valid event of this release, with its data in the current shape. */
  | { status: "event"; event: PromptEvent; envelope: Envelope; chain: ChainState }
  /** A well-chained event of a later release: it counts in the chain and is not applied. */
  | { status: "newer"; envelope: Envelope; chain: ChainState }
  /** Not ours: skipped. Its sequence still counts. */
  | { status: "rejected"; reason: string };

/** What reading the log takes. `checkSignature` is set where verification keys are configured. */
export type AdmitOptions = { primitives: Primitives; subjects: Subjects; checkSignature?: SignatureCheck };

/** Reads one message that follows `chain`: parses it, checks chain, subject and signature, and upcasts its data. */
export function admit(record: LogRecord, chain: ChainState, options: AdmitOptions): Admission {
  const read = readEnvelope(record, options);
  if (!read.ok) return { status: "rejected", reason: read.reason };
  const { envelope, hash } = read;
  if (envelope.index !== chain.index + 1)
    return { status: "rejected", reason: `index ${envelope.index} does not follow ${chain.index}` };
  if (envelope.prev !== chain.head)
    return { status: "rejected", reason: `prev does not match the chain head at index ${chain.index}` };
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
  | { status: "rejected"; reason: string };

/** Reads one message on its own: everything `admit` checks but its place in the chain. */
export function readRecord(record: LogRecord, options: AdmitOptions): Reading {
  const read = readEnvelope(record, options);
  return read.ok
    ? readEvent(record.subject, read.envelope, options)
    : { status: "rejected", reason: read.reason };
}

type EnvelopeReading = { ok: true; envelope: Envelope; hash: string } | { ok: false; reason: string };

function readEnvelope(record: LogRecord, { primitives, checkSignature }: AdmitOptions): EnvelopeReading {
  const text = primitives.decodeUtf8(record.payload);
  if (text === null) return { ok: false, reason: "the payload is not UTF-8" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "the payload is not JSON" };
  }
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success) {
    const issue = envelope.error.issues[0];
    return {
      ok: false,
      reason: `not an envelope: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trimEnd(),
    };
  }
  const hash = chainHash(primitives, record.subject, record.payload);
  const wrong = checkSignature?.(hash, record.headers[HEADERS.signature]) ?? null;
  return wrong === null ? { ok: true, envelope: envelope.data, hash } : { ok: false, reason: wrong };
}

function readEvent(subject: string, envelope: Envelope, { primitives, subjects }: AdmitOptions): Reading {
  const { type, v } = envelope;
  if (!isEventType(type) || v > CATALOGUE[type].v) return { status: "newer", envelope };
  const data = CATALOGUE[type].data.safeParse(upcast(type, v, envelope.data));
  if (!data.success) {
    const issue = data.error.issues[0];
    return {
      status: "rejected",
      reason: `not a ${type}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trimEnd(),
    };
  }
  const event = { type, data: data.data } as PromptEvent;
  if (subjects.logOf(event) !== subject)
    return { status: "rejected", reason: `a ${type} of other data belongs on this subject` };
  if (event.type === "TemplateAdded" && primitives.sha256(event.data.body) !== event.data.hash)
    return { status: "rejected", reason: "the hash does not match the body" };
  return { status: "event", event, envelope };
}
