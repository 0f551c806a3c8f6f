import { isSpanContextValid, trace } from "@opentelemetry/api";
import { pino, stdSerializers, stdTimeFunctions } from "pino";
import type { LogLevel } from "./catalogue.ts";
import { hideSecrets, SECRET_FIELDS } from "./secrets.ts";

type LogMethod = (fields: object, message: string) => void;

/** Writes one line of JSON per call. `err` in the fields is written with its stack and its causes. */
export type Logger = {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  fatal: LogMethod;
};

/** Where lines go; standard output if not given. */
export type LogDestination = { write: (line: string) => void };

/**
 * Builds the logger of a process. Every line names the service, and the active span's `trace_id` and `span_id`; fields
 * with the names of secrets and text that looks like one are blotted out. Lines are written before the call returns, so
 * none is lost at exit.
 */
export function createLogger(
  options: { service: string; level: LogLevel },
  destination: LogDestination = pino.destination({ fd: 1, sync: true }),
): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: activeSpan,
      serializers: { err: stdSerializers.errWithCause, reason: stdSerializers.errWithCause },
      redact: { paths: SECRET_FIELDS, censor: "[hidden]" },
      hooks: { streamWrite: hideSecrets },
    },
    destination,
  );
}

function activeSpan(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context !== undefined && isSpanContextValid(context)
    ? { trace_id: context.traceId, span_id: context.spanId }
    : {};
}
