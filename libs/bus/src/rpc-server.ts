import { HEADERS } from "@incipit/events";
import { ok, problem, refuse, type Problem, type Result } from "@incipit/schema";
import { context, isSpanContextValid, trace, type Span } from "@opentelemetry/api";
import { randomBytes } from "node:crypto";
import { headers as createHeaders, nuid, type Msg, type Subscription } from "nats";
import type { Connection } from "./connection.ts";
import { headersOf } from "./record.ts";
import { decodeBody, encodeBody, headerLine } from "./rpc-codec.ts";
import {
  createDurationRecorder,
  endMessageSpan,
  messagingAttributes,
  outcomeAttributes,
  startMessageSpan,
} from "./rpc-span.ts";
import type { RpcEndpoint, RpcOutcome, RpcRequest, RpcServer, RpcService } from "./rpc.ts";
import { createServiceReport } from "./service-protocol.ts";
import { payloadLimit, sizeOnWire } from "./message-size.ts";
import { extractTrace, spanLinkFrom } from "./trace.ts";

/**
 * Serves the endpoints of a service, and NATS's service protocol, until stopped. Requests are handled as they come, none
 * waits for another. Resolves once the server has every subscription; throws where it permits one of them not.
 *
 * A message without a reply subject is not handled at all: nobody would learn what became of it. Nor is one whose replies
 * would go to subjects of our own, such as the log's: a requester must not write there by our hand.
 */
export async function serveOn(connection: Connection, service: RpcService): Promise<RpcServer> {
  const { nats, logger } = connection;
  const instance = nuid.next();
  const report = createServiceReport(service, instance, new Date().toISOString());
  const recordDuration = createDurationRecorder();
  const inFlight = new Set<Promise<void>>();
  const denied: string[] = [];

  // Nothing may be thrown inside a subscription's callback: it would stop the connection from reading.
  function listen(subject: string, queue: string | null, onMessage: (message: Msg) => void): Subscription {
    return nats.subscribe(subject, {
      ...(queue !== null && { queue }),
      callback(error, message) {
        if (error === null) return onMessage(message);
        denied.push(subject);
        logger.error({ err: error, subject }, "a subscription of the service has ended");
      },
    });
  }

  /**
   * Whether a reply subject is no requester's inbox but one of the system's own or the server's: a reply sent there could
   * be stored in the log, or be taken for a call.
   */
  function isOurs(reply: string): boolean {
    return (
      reply.startsWith("$") ||
      service.endpoints.some(({ subject }) => firstToken(subject) === firstToken(reply))
    );
  }

  function take(endpoint: RpcEndpoint, message: Msg): void {
    const { template } = endpoint;
    if (message.reply === undefined || message.reply === "")
      return logger.debug({ template }, "ignored a request without a reply subject");
    if (isOurs(message.reply))
      return logger.warn(
        { template, reply: message.reply },
        "ignored a request with one of our own reply subjects",
      );
    const work = handle(endpoint, message, message.reply)
      .catch((err: unknown) => logger.error({ err, template }, "a request could not be answered"))
      .finally(() => inFlight.delete(work));
    inFlight.add(work);
  }

  async function handle(endpoint: RpcEndpoint, message: Msg, replyTo: string): Promise<void> {
    const since = performance.now();
    const common = messagingAttributes("process", endpoint.template, service.queue);
    const parent = extractTrace(headersOf(message));
    const span = startMessageSpan("process", endpoint.template, common, parent);
    await context.with(trace.setSpan(parent, span), async () => {
      const result = reply(replyTo, await answer(endpoint, message, span), endpoint, span);
      const ms = performance.now() - since;
      endMessageSpan(span, result);
      recordDuration(ms, { ...common, ...outcomeAttributes(result) });
      report.count(endpoint.name, ms, result.ok ? null : errorLine(result.problem));
      if (!result.ok) logRefusal(result.problem, endpoint, message.subject);
    });
  }

  async function answer(endpoint: RpcEndpoint, message: Msg, span: Span): Promise<Result<unknown>> {
    // No payload at all, as tools send it, asks for nothing in particular.
    const body = message.data.length === 0 ? ok({}) : decodeBody(message.data, "The request");
    if (!body.ok) return body;
    const request: RpcRequest = { subject: message.subject, body: body.value };
    try {
      const result = await endpoint.handler(request);
      describe(endpoint, request, result, span);
      return result;
    } catch (err) {
      return fail(err, endpoint, span);
    }
  }

  /** What was done counts, whether it can be described or not. */
  function describe(endpoint: RpcEndpoint, request: RpcRequest, result: RpcOutcome, span: Span): void {
    if (!span.isRecording()) return;
    try {
      span.setAttributes(endpoint.describe?.(request, result) ?? {});
      const link = spanLinkFrom(result.cause ?? null);
      if (link !== null) span.addLink(link);
    } catch (err) {
      logger.error({ err, template: endpoint.template }, "an answer could not be described for its trace");
    }
  }

  /** A bug: the cause goes to the log, the caller learns only where to look for it. */
  function fail(err: unknown, { template }: RpcEndpoint, span: Span): Result<unknown> {
    const known = span.spanContext();
    const traceId = isSpanContextValid(known) ? known.traceId : randomBytes(16).toString("hex");
    logger.error({ err, template, traceId }, "a request failed by a bug");
    return refuse(
      "internal",
      `Something is wrong in ${service.name}; its log tells more, under ${traceId}.`,
      {
        traceId,
      },
    );
  }

  /** Sends the reply, or the refusal that has to take its place; which of them, is the result. */
  function reply(to: string, result: Result<unknown>, endpoint: RpcEndpoint, span: Span): Result<unknown> {
    let payload: Uint8Array;
    try {
      payload = encodeBody(result.ok ? result.value : { error: result.problem });
    } catch (err) {
      return reply(to, fail(err, endpoint, span), endpoint, span);
    }
    const headers = createHeaders();
    headers.set(HEADERS.instance, instance);
    if (!result.ok) {
      headers.set(HEADERS.errorCode, String(result.problem.status));
      headers.set(HEADERS.error, headerLine(result.problem.message));
    }
    const size = sizeOnWire(payload, headers);
    const limit = payloadLimit(nats);
    if (size > limit) return reply(to, tooLarge(size, limit), endpoint, span);
    nats.publish(to, payload, { headers });
    return result;
  }

  function logRefusal(refusal: Problem, { template }: RpcEndpoint, subject: string): void {
    const { code, message, path } = refusal;
    // A bug has its line already. What the caller has to mend at once is worth a look; other refusals are daily work.
    if (code === "internal") return;
    const level =
      refusal.status >= 500 ? "warn" : code === "bad_request" || code === "bad_key" ? "info" : "debug";
    logger[level](
      { code, template, subject, reason: message, ...(path !== undefined && { path }) },
      "refused",
    );
  }

  const endpoints = service.endpoints.map((endpoint) =>
    listen(endpoint.subject, service.queue, (message) => take(endpoint, message)),
  );
  const protocol = report.answers.map(({ subject, answer }) =>
    listen(subject, null, (message) => {
      if (message.reply === undefined || isOurs(message.reply)) return;
      try {
        message.respond(answer());
      } catch (err) {
        logger.error({ err, subject }, "the service protocol could not be answered");
      }
    }),
  );

  async function leave(): Promise<void> {
    await unlessLost(connection, () => Promise.all([...endpoints, ...protocol].map((each) => each.drain())));
    while (inFlight.size > 0) await Promise.all(inFlight);
    await unlessLost(connection, () => nats.flush());
    for (const each of [...endpoints, ...protocol]) if (!each.isClosed()) each.unsubscribe();
  }
  let leaving: Promise<void> | null = null;
  const stop = () => (leaving ??= leave());

  // What is not permitted comes back before the answer to the flush.
  await unlessLost(connection, () => nats.flush());
  const subject = service.endpoints.find((endpoint) => denied.includes(endpoint.subject))?.subject;
  if (subject !== undefined) {
    await stop();
    throw new Error(`NATS does not permit ${service.name} to listen on ${subject}.`);
  }
  return { instance, stop };
}

const firstToken = (subject: string) => subject.split(".", 1)[0];

const errorLine = ({ status, message }: Problem) => `${status}:${headerLine(message)}`;

function tooLarge(size: number, limit: number): Result<unknown> {
  const message = `The reply has ${size} bytes, and the NATS server takes at most ${limit}: ask for less at once, or raise max_payload.`;
  return { ok: false, problem: problem("too_large", message) };
}

/** Waits for what needs the server, but not beyond the loss of the connection: then there is nothing to wait for. */
async function unlessLost(connection: Connection, work: () => Promise<unknown>): Promise<void> {
  if (!connection.isConnected()) return;
  let forget = () => {};
  const lost = new Promise<void>((resolve) => {
    forget = connection.onState((state) => {
      if (state === "disconnected" || state === "closed") resolve();
    });
  });
  try {
    // The client rejects what waits for the server when the connection goes; that is the same news.
    await Promise.race([work().catch(() => {}), lost]);
  } finally {
    forget();
  }
}
