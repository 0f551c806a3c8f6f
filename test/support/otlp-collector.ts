import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const anyValue = z.looseObject({
  stringValue: z.string().optional(),
  intValue: z.union([z.string(), z.number()]).optional(),
  boolValue: z.boolean().optional(),
  arrayValue: z.looseObject({ values: z.array(z.looseObject({ stringValue: z.string() })) }).optional(),
});
const attributes = z.array(z.object({ key: z.string(), value: anyValue })).default([]);
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
});
const exportSchema = z.looseObject({
  resourceSpans: z
    .array(
      z.looseObject({
        resource: z.looseObject({ attributes }),
        scopeSpans: z.array(z.looseObject({ spans: z.array(spanSchema) })),
      }),
    )
    .default([]),
});

/** The value of an attribute. */
type AttributeValue = string | number | boolean | string[];

/** A span as a collector received it, with the name of the service that sent it. */
export type ReceivedSpan = Omit<z.infer<typeof spanSchema>, "attributes"> & {
  service: string;
  attributes: Record<string, AttributeValue>;
};

/** An OTLP/HTTP collector that keeps what it is sent. */
export type Collector = {
  url: string;
  spans: readonly ReceivedSpan[];
  /** Settles with the first span, past or future, that fits. */
  span: (fits: (span: ReceivedSpan) => boolean) => Promise<ReceivedSpan>;
  stop: () => Promise<void>;
};

/** Starts a collector on loopback that takes spans as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/traces") {
        spans.push(...readExport(JSON.parse(Buffer.concat(chunks).toString())));
        for (const watcher of watchers) watcher();
      }
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    span: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = spans.find(fits);
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readExport(value: unknown): ReceivedSpan[] {
  return exportSchema.parse(value).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)["service.name"]);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({ ...span, service, attributes: readAttributes(span.attributes) })),
    );
  });
}

function readAttributes(list: z.infer<typeof attributes>): Record<string, AttributeValue> {
  return Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.arrayValue?.values.map(({ stringValue }) => stringValue) ??
        value.stringValue ??
        value.boolValue ??
        (value.intValue === undefined ? "" : Number(value.intValue)),
    ]),
  );
}
