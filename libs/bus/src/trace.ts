import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type Link,
  type TextMapGetter,
  type TextMapSetter,
} from "@opentelemetry/api";
import { Match, type MsgHdrs } from "nats";

const setter: TextMapSetter<MsgHdrs> = {
  set(headers, name, value) {
    try {
      headers.set(name, value);
    } catch {
      // A value that no header can carry (baggage of somebody else's) is left out; the request matters more.
    }
  },
};

const getter: TextMapGetter<MsgHdrs> = {
  keys: (headers) => headers.keys(),
  // A client in another language may write `Traceparent`.
  get: (headers, name) => headers.get(name, Match.IgnoreCase) || undefined,
};

/** Writes a context into headers, as the registered propagator does it (W3C's). Without an SDK nothing is written. */
export function injectTrace(headers: MsgHdrs, from: Context): void {
  propagation.inject(from, headers, setter);
}

/** The context that headers carry; an empty one where there is none, or it is garbage. */
export function extractTrace(headers: MsgHdrs | undefined): Context {
  return headers === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers, getter);
}

/** The active span as W3C's traceparent; null where there is none, so always without an SDK. */
export function currentTraceparent(): string | null {
  const span = trace.getSpan(context.active())?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}`;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** A link to the span that a traceparent names; null where it names none. Versions to come are read as far as known. */
export function spanLinkFrom(traceparent: string | null): Link | null {
  const [, version, traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return null;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? { context } : null;
}
