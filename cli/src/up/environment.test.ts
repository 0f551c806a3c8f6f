import { expect, it } from "vitest";
import { serviceEnvironment } from "./environment.ts";

it("hands on everything but what names another bus, another file or a port", () => {
  const env = {
    PATH: "/bin",
    LOG_LEVEL: "debug",
    OTEL_SERVICE_NAME: "x",
    INCIPIT_SEEDS: "/seeds",
    INCIPIT_ACTOR: "alice",
    INCIPIT_DB: "/elsewhere.db",
    INCIPIT_HEALTH_PORT: "80",
    NATS_URL: "nats://elsewhere",
    NATS_CREDS: "/creds",
    GONE: undefined,
  };
  expect(serviceEnvironment(env, { NATS_URL: "nats://127.0.0.1:1" })).toEqual({
    PATH: "/bin",
    LOG_LEVEL: "debug",
    OTEL_SERVICE_NAME: "x",
    INCIPIT_SEEDS: "/seeds",
    NATS_URL: "nats://127.0.0.1:1",
  });
});
