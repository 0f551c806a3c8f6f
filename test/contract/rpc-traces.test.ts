import { currentTraceparent } from "@incipit/bus";
import { ok, refuse } from "@incipit/schema";
import {
  context,
  createNoopMeter,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Histogram,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { headers as createHeaders } from "nats";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { natsKinds } from "../support/nats-servers.ts";
import { startRpcBench, WAIT_MS, type RpcBench } from "../support/rpc.ts";

const [kind] = await natsKinds();
const exporter = new InMemorySpanExporter();
const durations: { name: string; value: number; attributes: Attributes | undefined }[] = [];

/** Keeps what is recorded. */
const meter = Object.assign(createNoopMeter(), {
  createHistogram: (name: string): Histogram => ({
    record: (value, attributes) => void durations.push({ name, value, attributes }),
  }),
});

const spanOf = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);

/** Both spans of a request; the service ends its own after it has replied. */
async function bothSpans(template: string) {
  await eventually("both spans have ended", () => spanOf(`process ${template}`) !== undefined);
  const [sent, processed] = [spanOf(`send ${template}`), spanOf(`process ${template}`)];
  if (!sent || !processed) throw new Error("a span is missing");
  return { sent, processed };
}

describe.skipIf(!kind?.bin)("a request's trace", () => {
  let bench: RpcBench;
  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    metrics.setGlobalMeterProvider({ getMeter: () => meter });
    bench = await startRpcBench(kind?.bin ?? "");
  });
  beforeEach(() => {
    exporter.reset();
    durations.length = 0;
  });
  afterAll(async () => {
    await bench?.dispose();
    trace.disable();
    metrics.disable();
    propagation.disable();
    context.disable();
  });

  const request = (subject: string) =>
    bench.client.request({
      subject,
      template: "t.traced",
      body: {},
      timeoutMs: WAIT_MS,
      attributes: { "gen_ai.prompt.name": "a/b" },
    });

  it("crosses the bus: the caller's span, then the sending, then the handling, and what the handler does", async () => {
    const activation = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    let inHandler: string | null = null;
    await bench.serve({
      subject: "t.traced.*",
      template: "t.traced",
      async handler() {
        await new Promise((resolve) => setImmediate(resolve));
        inHandler = currentTraceparent();
        return { ...ok({}), cause: activation };
      },
      describe: ({ subject }) => ({ "incipit.subject": subject }),
    });
    const caller = trace.getTracer("test").startSpan("caller");
    await context.with(trace.setSpan(context.active(), caller), () => request("t.traced.key"));
    caller.end();

    const { sent, processed } = await bothSpans("t.traced");
    expect(sent.parentSpanContext?.spanId).toBe(caller.spanContext().spanId);
    expect(processed.parentSpanContext).toMatchObject({
      traceId: caller.spanContext().traceId,
      spanId: sent.spanContext().spanId,
      isRemote: true,
    });
    expect(inHandler).toBe(`00-${processed.spanContext().traceId}-${processed.spanContext().spanId}-01`);
    expect(sent).toMatchObject({
      kind: SpanKind.PRODUCER,
      attributes: {
        "messaging.system": "nats",
        "messaging.operation.name": "send",
        "messaging.operation.type": "send",
        "messaging.destination.template": "t.traced",
        "gen_ai.prompt.name": "a/b",
      },
    });
    expect(processed).toMatchObject({
      kind: SpanKind.CONSUMER,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.consumer.group.name": "q",
        "incipit.subject": "t.traced.key",
      },
      links: [{ context: { traceId: "a".repeat(32), spanId: "b".repeat(16) } }],
    });
    await eventually("the duration is recorded", () => durations.length === 1);
    expect(durations[0]).toMatchObject({
      name: "messaging.process.duration",
      attributes: { "messaging.destination.template": "t.traced" },
    });
    // Seconds.
    expect(durations[0]?.value).toBeLessThan(WAIT_MS / 1000);
  });

  it("carries a refusal's code, and is an error only where the service failed", async () => {
    await bench.serve({
      subject: "t.traced.*",
      template: "t.traced",
      handler: ({ subject }) =>
        subject.endsWith("missing")
          ? refuse("key_not_found", "no")
          : Promise.reject(new Error("the secret text")),
    });
    await request("t.traced.missing");
    const refused = await bothSpans("t.traced");
    for (const span of [refused.sent, refused.processed])
      expect(span).toMatchObject({
        status: { code: SpanStatusCode.UNSET },
        attributes: { "incipit.error.code": "key_not_found", "error.type": "key_not_found" },
      });
    await eventually("the duration is recorded", () => durations.length === 1);
    expect(durations[0]?.attributes).toMatchObject({ "error.type": "key_not_found" });

    exporter.reset();
    const failed = await request("t.traced.bug");
    const { sent, processed } = await bothSpans("t.traced");
    for (const span of [sent, processed])
      expect(span).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { "incipit.error.code": "internal" },
      });
    // The caller is told the trace to look up; the trace does not tell what the exception said.
    expect(failed).toMatchObject({ problem: { traceId: processed.spanContext().traceId } });
    expect(JSON.stringify([sent.attributes, processed.attributes, processed.events])).not.toContain("secret");
  });

  it("begins anew where the headers are garbage", async () => {
    await bench.serve({
      subject: "t.traced.*",
      template: "t.traced",
      handler: () => ok(currentTraceparent()),
    });
    for (const traceparent of ["", "00-zz", `ff-${"a".repeat(32)}-${"b".repeat(16)}-01`]) {
      const headers = createHeaders();
      headers.set("traceparent", traceparent);
      const reply = await bench.raw.request("t.traced.x", "{}", { timeout: WAIT_MS, headers });
      expect(reply.json()).toMatch(/^00-(?!a{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    }
    const headers = createHeaders();
    headers.set("Traceparent", `00-${"a".repeat(32)}-${"b".repeat(16)}-01`);
    const reply = await bench.raw.request("t.traced.x", "{}", { timeout: WAIT_MS, headers });
    expect(reply.json()).toMatch(/^00-a{32}-/);
  });

  it("tells why nothing was answered", async () => {
    await request("t.traced.nobody");
    expect(spanOf("send t.traced")).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "incipit.error.code": "no_responders" },
    });
  });
});
