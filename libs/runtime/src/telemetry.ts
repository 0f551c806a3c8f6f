import { diag, DiagLogLevel, type DiagLogger } from "@opentelemetry/api";
import type { Environment } from "./config.ts";
import type { Logger } from "./logger.ts";
import { within } from "./deadline.ts";

/** Telemetry of a process, switched on or not. */
export type Telemetry = {
  enabled: boolean;
  /** Sends what is left, for at most three seconds, and never throws. */
  shutdown: () => Promise<void>;
};

/** Who reports, and what the environment asks for. */
export type TelemetryOptions = {
  service: string;
  version: string;
  /** Tells the instances of a service apart. */
  instance: string;
  /**
   * The process's own environment. Only read to decide whether anything is wanted: the SDK reads that environment itself for the
   * rest (endpoints, headers, protocol, sampler, resource attributes), as OpenTelemetry specifies it.
   */
  env: Environment;
  logger: Logger;
};

const SHUTDOWN_MS = 3_000;

/** Which signals an environment asks for. Without an endpoint or an exporter, none: then the SDK is not even loaded. */
export function wantedSignals(env: Environment): { traces: boolean; metrics: boolean } {
  const given = (name: string) => (env[name] ?? "").trim() !== "";
  if (env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return { traces: false, metrics: false };
  const wanted = (signal: "TRACES" | "METRICS") =>
    env[`OTEL_${signal}_EXPORTER`]?.trim() !== "none" &&
    (given(`OTEL_${signal}_EXPORTER`) ||
      given(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) ||
      given("OTEL_EXPORTER_OTLP_ENDPOINT"));
  return { traces: wanted("TRACES"), metrics: wanted("METRICS") };
}

/**
 * Switches on traces and metrics where the environment asks for them (OTLP over HTTP unless it says otherwise), and loads
 * nothing where it does not. Call it before anything makes a meter. Nothing is instrumented by itself: spans and metrics
 * are made where a message is sent or handled.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const wanted = wantedSignals(options.env);
  if (!wanted.traces && !wanted.metrics) return { enabled: false, shutdown: async () => {} };

  const { NodeSDK, resources } = await import("@opentelemetry/sdk-node");
  if ((options.env["OTEL_LOG_LEVEL"] ?? "") === "")
    diag.setLogger(diagnosticsTo(options.logger), DiagLogLevel.WARN);
  const sdk = new NodeSDK({
    resource: resources.defaultResource().merge(
      resources.resourceFromAttributes({
        "service.name": options.service,
        "service.version": options.version,
        "service.instance.id": options.instance,
      }),
    ),
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win. The process detector stays out: it reports the command line.
    ...((options.env["OTEL_NODE_RESOURCE_DETECTORS"] ?? "") === "" && {
      resourceDetectors: [resources.envDetector, resources.hostDetector],
    }),
    // An empty list switches a signal off; leaving it out lets the SDK choose by the environment.
    ...(!wanted.traces && { spanProcessors: [] }),
    ...(!wanted.metrics && { metricReaders: [] }),
    logRecordProcessors: [],
  });
  sdk.start();
  options.logger.info(wanted, "telemetry is on");
  return {
    enabled: true,
    async shutdown() {
      try {
        if (!(await within(SHUTDOWN_MS, sdk.shutdown())))
          options.logger.warn({ ms: SHUTDOWN_MS }, "telemetry was not sent in time; some of it is lost");
      } catch (err) {
        options.logger.warn({ err }, "telemetry could not be sent; some of it is lost");
      }
    },
  };
}

function diagnosticsTo(logger: Logger): DiagLogger {
  const to = (level: "debug" | "warn") => (detail: string) => logger[level]({ detail }, "telemetry");
  return { error: to("warn"), warn: to("warn"), info: to("debug"), debug: to("debug"), verbose: to("debug") };
}
