import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compile, startFixture } from "../fixtures/child.ts";
import { wantedSignals } from "./telemetry.ts";

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

it.each<[Record<string, string>, boolean, boolean]>([
  [{}, false, false],
  [{ [ENDPOINT]: "" }, false, false],
  [{ [ENDPOINT]: "http://c:4318" }, true, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c/v1/traces" }, true, false],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://c/v1/metrics" }, false, true],
  [{ OTEL_TRACES_EXPORTER: "console" }, true, false],
  [{ OTEL_METRICS_EXPORTER: "prometheus" }, false, true],
  [{ [ENDPOINT]: "http://c:4318", OTEL_METRICS_EXPORTER: "none" }, true, false],
  [{ [ENDPOINT]: "http://c:4318", OTEL_SDK_DISABLED: "true" }, false, false],
])("an environment of %j asks for traces %s, metrics %s", (env, traces, metrics) => {
  expect(wantedSignals(env)).toEqual({ traces, metrics });
});

describe("a process", () => {
  const received: { path: string; body: string }[] = [];
  let answers = true;
  let collector: Server;
  const url = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

  beforeAll(async () => {
    compile();
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ path: request.url ?? "", body: Buffer.concat(chunks).toString("latin1") });
        if (answers) response.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  });
  beforeEach(() => {
    received.length = 0;
    answers = true;
  });
  afterAll(() => {
    collector.closeAllConnections();
    collector.close();
  });

  async function run(env: Record<string, string>) {
    const child = startFixture("telemetry", env);
    await child.said('"started"');
    child.signal("SIGTERM");
    return child.ended;
  }

  it("loads no SDK where no telemetry is asked for", async () => {
    const { code, stdout } = await run({});
    expect(stdout).toContain('"enabled":false,"loaded":false,"msg":"telemetry done"');
    expect(code).toBe(0);
  });

  it("sends its spans and metrics before it leaves, and says whose they are", async () => {
    const { stdout } = await run({ [ENDPOINT]: url(), OTEL_RESOURCE_ATTRIBUTES: "team=blue" });
    expect(stdout).toContain('"enabled":true,"loaded":true');
    expect(received.map(({ path }) => path).toSorted()).toEqual(["/v1/metrics", "/v1/traces"]);
    for (const { body } of received)
      for (const part of ["service.name", "fixture", "1.2.3", "service.instance.id", "i-1", "team", "blue"])
        expect(body).toContain(part);
    expect(received.find(({ path }) => path === "/v1/traces")?.body).toContain("a span");
    expect(received.find(({ path }) => path === "/v1/metrics")?.body).toContain("a.counter");
  });

  it("sends traces alone where only those have an endpoint", async () => {
    await run({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url()}/v1/traces` });
    expect(received.map(({ path }) => path)).toEqual(["/v1/traces"]);
  });

  it("leaves within three seconds when the collector does not answer, and says that something is lost", async () => {
    answers = false;
    const since = performance.now();
    const { code, stdout } = await run({ [ENDPOINT]: url() });
    expect(performance.now() - since).toBeLessThan(8_000);
    expect(stdout).toContain("some of it is lost");
    expect(code).toBe(0);
  });
});
