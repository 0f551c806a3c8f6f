import fc from "fast-check";
import { headers as createHeaders } from "nats";
import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { currentTraceparent, extractTrace, injectTrace, spanLinkFrom } from "./trace.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

it("a traceparent names a span to link to", () => {
  expect(spanLinkFrom(`00-${TRACE}-${SPAN}-01`)).toEqual({
    context: { traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true },
  });
  expect(spanLinkFrom(`cc-${TRACE}-${SPAN}-03-what-comes-later`)?.context.traceFlags).toBe(3);
});

it.each([
  null,
  "",
  "garbage",
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
])("%j names none", (traceparent) => {
  expect(spanLinkFrom(traceparent)).toBeNull();
});

it("any text names a span or none, and is never thrown at", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(spanLinkFrom(text)).toBeNull();
    }),
  );
});

it("without an SDK there is no trace, and nothing is written", () => {
  const headers = createHeaders();
  injectTrace(headers, context.active());
  expect(headers.keys()).toEqual([]);
  expect(currentTraceparent()).toBeNull();
  expect(extractTrace(undefined)).toBe(ROOT_CONTEXT);
});
