import type { Result } from "@incipit/schema";
import type { Attributes } from "@opentelemetry/api";

/** A request as a handler sees it: its body is parsed JSON and otherwise untrusted. */
export type RpcRequest = { subject: string; body: unknown };

/** An answer. `cause`: the traceparent of what made it what it is, if that is known; the answer's span links to it. */
export type RpcOutcome = Result<unknown> & { cause?: string | null };

/** Answers one request. An exception is a bug: the caller gets `internal`, the log gets the cause with the trace id. */
export type RpcHandler = (request: RpcRequest) => RpcOutcome | Promise<RpcOutcome>;

/** One subject that a service answers on. */
export type RpcEndpoint = {
  /** The endpoint's name in the service protocol, `[A-Za-z0-9_-]+`. */
  name: string;
  /** The subject or wildcard to listen on. */
  subject: string;
  /** What spans and metrics call it: the subject's template, such as `prompt.render`; never a key. */
  template: string;
  handler: RpcHandler;
  /** Span attributes of an answer; pure. */
  describe?: (request: RpcRequest, result: Result<unknown>) => Attributes;
};

/** A service: instances share the work through a queue group. */
export type RpcService = {
  name: string;
  version: string;
  description: string;
  queue: string;
  endpoints: readonly RpcEndpoint[];
  /** Shown as `data` in the service protocol's STATS. */
  stats?: () => unknown;
};

/** A running service. */
export type RpcServer = {
  /** The instance id of the service protocol; every reply carries it as `Incipit-Instance`. */
  instance: string;
  /** Takes no new requests, finishes those in flight, and leaves. */
  stop: () => Promise<void>;
};

/** A request to send. */
export type RpcCall = {
  subject: string;
  /** What spans call it, such as `prompt.render`. */
  template: string;
  body: unknown;
  /** Milliseconds until `timeout`. */
  timeoutMs: number;
  /** It may change something: where its reply is lost, the refusal says that nobody knows whether it did. */
  isCommand?: boolean;
  attributes?: Attributes;
};

/** A reply that is no error: its parsed JSON (untrusted) and who answered. */
export type RpcAnswer = { body: unknown; instance: string | null };
