import { currentTraceparent } from "@incipit/bus";
import type { PromptEvent } from "@incipit/events";
import type { Result } from "@incipit/schema";
import { SpanKind, SpanStatusCode, trace, type Span } from "@opentelemetry/api";
import type { Appended } from "./append.ts";

/**
 * Runs an append in a span of its own. Its traceparent goes into the envelopes, so that whoever acts on an event (a
 * projection, a render of the version it made live) can link to where it came from.
 */
export async function withAppendSpan(
  template: string,
  events: readonly PromptEvent[],
  append: (traceparent: string | null) => Promise<Result<Appended>>,
): Promise<Result<Appended>> {
  const attributes = {
    "messaging.system": "nats",
    "messaging.operation.name": "append",
    "messaging.operation.type": "send",
    "messaging.destination.template": template,
    "messaging.batch.message_count": events.length,
    "incipit.events": events.map(({ type }) => type),
  };
  const options = { kind: SpanKind.PRODUCER, attributes };
  return trace.getTracer("@incipit/registry").startActiveSpan(`append ${template}`, options, async (span) => {
    try {
      const result = await append(currentTraceparent());
      describe(span, result);
      return result;
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

function describe(span: Span, result: Result<Appended>) {
  if (!result.ok) {
    span.setAttribute("incipit.error.code", result.problem.code);
    return;
  }
  const { value } = result;
  span.setAttribute("incipit.outcome", value.outcome);
  if (value.outcome === "appended") span.setAttribute("incipit.seq", value.seqs.at(-1) ?? 0);
  if (value.outcome === "unknown")
    span.setStatus({ code: SpanStatusCode.ERROR, message: "no acknowledgement" });
}
