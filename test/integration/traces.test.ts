import { unwrap } from "@incipit/client";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startCollector, type Collector } from "../support/otlp-collector.ts";
import { startStack, type Stack } from "../support/stack.ts";

let collector: Collector;
let stack: Stack;

beforeAll(async () => {
  collector = await startCollector();
  // What an application does that traces itself: the client joins its traces through the API.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({
      resource: resourceFromAttributes({ "service.name": "an-agent" }),
      spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${collector.url}/v1/traces` }))],
    }),
  );
  stack = await startStack({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRICS_EXPORTER: "none",
      OTEL_BSP_SCHEDULE_DELAY: "100",
    },
  });
});
afterAll(async () => {
  await stack.stop();
  await collector.stop();
  trace.disable();
  context.disable();
  propagation.disable();
});

it("a render is one trace of client and renderer, linked to the activation that made its version live", async () => {
  const client = await stack.connect("alice");
  unwrap(await client.add("secret/greeting", { body: "Hello {{name}}" }));
  const activated = unwrap(await client.activate("secret/greeting", { version: 1 }));
  const rendered = unwrap(
    await client.render("secret/greeting", { context: { name: "Ada Lovelace" }, minSeq: activated.seq }),
  );
  if (rendered.fallback) throw new Error("no fallback was given");

  const processed = await collector.span(({ name }) => name === "process prompt.render");
  const sent = await collector.span(({ spanId }) => spanId === processed.parentSpanId);
  expect(sent).toMatchObject({ service: "an-agent", name: "send prompt.render", traceId: processed.traceId });
  expect(sent.attributes).toMatchObject({
    "messaging.system": "nats",
    "messaging.operation.name": "send",
    "messaging.operation.type": "send",
    "messaging.destination.template": "prompt.render",
  });
  expect(processed.service).toBe("incipit-renderer");
  expect(processed.attributes).toMatchObject({
    "messaging.system": "nats",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.template": "prompt.render",
    "gen_ai.prompt.name": "secret/greeting",
    "gen_ai.prompt.version": "1",
    "incipit.label": "production",
    "incipit.hash": rendered.hash,
    "incipit.seq": rendered.seq,
  });

  // The span of the append that stored the activation; the command's own span is its parent.
  const command = await collector.span(
    ({ name, attributes }) => name === "process prompt.cmd" && attributes["incipit.verb"] === "activate",
  );
  const append = await collector.span(
    ({ name, traceId }) => name === "append prompt.log" && traceId === command.traceId,
  );
  expect(append).toMatchObject({ service: "incipit-registry", parentSpanId: command.spanId });
  expect(processed.links).toContainEqual(
    expect.objectContaining({ traceId: append.traceId, spanId: append.spanId }),
  );
  const projected = await collector.span(
    ({ name, links }) =>
      name === "process prompt.log" && links.some(({ spanId }) => spanId === append.spanId),
  );
  expect(projected.service).toBe("incipit-registry");

  // Never a key in a span's name, never text or context anywhere.
  for (const span of collector.spans) expect(span.name).not.toContain("secret");
  const everything = JSON.stringify(collector.spans);
  for (const text of ["Ada", "Hello"]) expect(everything).not.toContain(text);
});

it("a refusal's spans carry its code, the sender's and the service's", async () => {
  const client = await stack.connect("alice");
  await client.render("no/such/key", {});
  const refused = (wanted: string) =>
    collector.span(
      ({ name, attributes }) => name === wanted && attributes["incipit.error.code"] === "key_not_found",
    );
  const [sent, processed] = await Promise.all([
    refused("send prompt.render"),
    refused("process prompt.render"),
  ]);
  expect(processed.traceId).toBe(sent.traceId);
});

it("a render's trace names the fields that the contract does not list, and nothing of what is in them", async () => {
  const client = await stack.connect("alice");
  const document = {
    type: "object" as const,
    properties: { name: { type: "string" as const, description: "Who it is." } },
    required: ["name"],
  };
  unwrap(await client.publish("person", { document }));
  unwrap(await client.add("listed", { body: "Hello {{name}}", contract: "person" }));
  const { seq } = unwrap(await client.activate("listed", { version: 1 }));
  const context = { name: "Ada", nmae: "a secret value" };
  unwrap(await client.render("listed", { context, minSeq: seq }));
  const { attributes } = await collector.span(
    (span) => span.name === "process prompt.render" && span.attributes["gen_ai.prompt.name"] === "listed",
  );
  expect(attributes["incipit.context.extra"]).toEqual(["nmae"]);
  expect(JSON.stringify(attributes)).not.toContain("a secret value");
  const refused = await client.render("listed", { context, extraFields: "refuse" });
  expect(refused).toMatchObject({
    ok: false,
    problem: { code: "bad_context", path: "nmae", key: "listed", version: 1 },
  });
});
