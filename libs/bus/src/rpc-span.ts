import {
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from "@opentelemetry/api";
import type { Result } from "@incipit/schema";

const SCOPE = "@incipit/bus";

/** What is done with a message, in the words of OpenTelemetry's messaging conventions. */
type Operation = "send" | "process";

/** Whoever sends is a producer and whoever handles a consumer: the conventions' kinds for these operations. */
const KIND: Record<Operation, SpanKind> = { send: SpanKind.PRODUCER, process: SpanKind.CONSUMER };

/** What every span and metric of a message says. `template` is the subject's, never a key. */
export function messagingAttributes(operation: Operation, template: string, queue?: string): Attributes {
  return {
    "messaging.system": "nats",
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
    "messaging.destination.template": template,
    ...(queue !== undefined && { "messaging.consumer.group.name": queue }),
  };
}

/** What an outcome adds: nothing where it is a success. */
export function outcomeAttributes(result: Result<unknown>): Attributes {
  return result.ok ? {} : { "incipit.error.code": result.problem.code, "error.type": result.problem.code };
}

/** Starts `send prompt.render` or `process prompt.render`. */
export function startMessageSpan(
  operation: Operation,
  template: string,
  attributes: Attributes,
  parent: Context,
): Span {
  const options = { kind: KIND[operation], attributes };
  return trace.getTracer(SCOPE).startSpan(`${operation} ${template}`, options, parent);
}

/** Ends a span with its outcome. A refusal is an answer, not a failure: only what has a status of 5xx is an error. */
export function endMessageSpan(span: Span, result: Result<unknown>): void {
  span.setAttributes(outcomeAttributes(result));
  if (!result.ok && result.problem.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Records how long a message took to handle, in milliseconds. Made once per service, after telemetry has started. */
export function createDurationRecorder(): (ms: number, attributes: Attributes) => void {
  const histogram = metrics.getMeter(SCOPE).createHistogram("messaging.process.duration", {
    unit: "s",
    description: "Duration of processing operation.",
    // The conventions' boundaries, and three below: a render takes well under a millisecond.
    advice: {
      explicitBucketBoundaries: [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
      ],
    },
  });
  return (ms, attributes) => histogram.record(ms / 1000, attributes);
}
