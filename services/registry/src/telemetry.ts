import { spanLinkFrom } from "@incipit/bus";
import { metrics, SpanKind, trace } from "@opentelemetry/api";
import type { Applied } from "./projection/apply-batch.ts";

const NAME = "@incipit/registry";
/** Links of one span; what SDKs keep by default. */
const LINKS = 128;

/** Reports how far the projection is behind, and how many messages it has skipped. Returns what ends that. */
export function observeProjection(read: { lag: () => number; rejected: () => number }): () => void {
  const meter = metrics.getMeter(NAME);
  const lag = meter.createObservableGauge("incipit.projection.lag", {
    unit: "{message}",
    description: "Messages known to be on the log and not yet applied to the projection.",
  });
  const rejected = meter.createObservableCounter("incipit.log.rejected", {
    unit: "{message}",
    description: "Messages of the log that are not ours and were skipped.",
  });
  const observables = [lag, rejected];
  const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = (result) => {
    result.observe(lag, read.lag());
    result.observe(rejected, read.rejected());
  };
  meter.addBatchObservableCallback(observe, observables);
  return () => meter.removeBatchObservableCallback(observe, observables);
}

/** One span for a batch that was applied, linked to the appends its events came from. */
export function traceApplied(template: string, applied: readonly Applied[], startedAt: number): void {
  const links = applied
    .slice(0, LINKS)
    .map((one) => (one.status === "rejected" ? null : spanLinkFrom(one.envelope.trace)))
    .filter((link) => link !== null);
  const last = applied.at(-1);
  if (links.length === 0 || last === undefined) return;
  const span = trace.getTracer(NAME).startSpan(`process ${template}`, {
    kind: SpanKind.CONSUMER,
    root: true,
    startTime: startedAt,
    links,
    attributes: {
      "messaging.system": "nats",
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.destination.template": template,
      "messaging.batch.message_count": applied.length,
      "incipit.seq": last.seq,
    },
  });
  span.end();
}
