import { context, trace, type Context, type ContextManager } from "@opentelemetry/api";
import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import type { LogLevel } from "./catalogue.ts";

const SEED = `SU${"A".repeat(56)}`;

function record(level: LogLevel = "info") {
  const lines: string[] = [];
  const logger = createLogger({ service: "incipit-test", level }, { write: (line) => lines.push(line) });
  return { logger, lines, last: (): unknown => JSON.parse(lines.at(-1) ?? "null") };
}

// The least a context manager can be: what the SDK would register.
const storage = new AsyncLocalStorage<Context>();
const manager: ContextManager = {
  active: () => storage.getStore() ?? emptyContext,
  with: (value, fn, self, ...args) => storage.run(value, () => fn.apply(self as never, args)),
  bind: (_, target) => target,
  enable: () => manager,
  disable: () => manager,
};
const emptyContext = context.active();
beforeAll(() => void context.setGlobalContextManager(manager));
afterAll(() => context.disable());

it("writes one line of JSON that names time, level and service", () => {
  const { logger, lines, last } = record();
  logger.info({ key: "a/b" }, "done");
  expect(lines).toHaveLength(1);
  expect(last()).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    service: "incipit-test",
    pid: process.pid,
    key: "a/b",
    msg: "done",
  });
});

it("leaves out what is less severe than its level", () => {
  const { logger, lines } = record("warn");
  logger.info({}, "no");
  logger.debug({}, "no");
  logger.warn({}, "yes");
  expect(lines).toHaveLength(1);
});

it("writes an error with its stack and the whole chain of causes", () => {
  const { logger, last } = record();
  const root = Object.assign(new Error("disk full"), { code: "ENOSPC" });
  logger.error({ err: new Error("cannot append", { cause: new Error("write", { cause: root }) }) }, "failed");
  expect(last()).toMatchObject({
    err: {
      type: "Error",
      message: "cannot append",
      stack: expect.stringContaining("logger.test.ts"),
      cause: { message: "write", cause: { message: "disk full", code: "ENOSPC" } },
    },
  });
});

it("survives causes that run in a circle", () => {
  const { logger, last } = record();
  const a: Error = new Error("a");
  a.cause = new Error("b", { cause: a });
  logger.error({ err: a }, "failed");
  expect(last()).toMatchObject({ err: { message: "a", cause: { message: "b" } } });
});

it("names the trace and the span that are active", () => {
  const { logger, last } = record();
  const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
  context.with(trace.setSpanContext(context.active(), span), () => logger.info({}, "inside"));
  expect(last()).toMatchObject({ trace_id: span.traceId, span_id: span.spanId });
  logger.info({}, "outside");
  expect(last()).not.toHaveProperty("trace_id");
});

it("blots out secrets, by name and by look", () => {
  const { logger, lines, last } = record();
  const jwt = "eyJ0eXAiOiJKV1QiLCJhbGciOiJl.eyJqdGkiOiJYWVoiLCJpYXQi.c2lnbmF0dXJlc2ln";
  logger.error(
    {
      password: "hunter2",
      options: { nkeySeed: "hunter2", user: "alice" },
      file: `-----BEGIN USER NKEY SEED-----\n${SEED}\n------`,
      err: new Error(`no route to nats://alice:hunter2@host:4222 with ${jwt}`),
    },
    `seed ${SEED}`,
  );
  expect(lines[0]).not.toMatch(/hunter2|SUAAAA|eyJ0/);
  expect(last()).toMatchObject({ options: { user: "alice" }, msg: "seed [hidden]" });
});
