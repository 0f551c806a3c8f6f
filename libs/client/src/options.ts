import { silentLogger, type Bus, type BusOptions, type Logger } from "@incipit/bus";

/** What a client can be told besides how to reach the bus. */
export type ClientSettings = {
  /** Who sends the commands: one subject token, `[A-Za-z0-9_-]+`. Only commands need it. */
  actor?: string;
  /** First token of every subject, `prompt`. */
  prefix?: string;
  /** The log's stream, `PROMPTS`. Only `log` needs it. */
  stream?: string;
  /** Milliseconds a call may take, its own retries included, where the call does not say. Default 5000. */
  timeoutMs?: number;
  /** Wait for a service that is not there yet, up to the timeout, instead of failing at once. Default false. */
  retryNoResponders?: boolean;
  logger?: Logger;
};

/** How to reach the bus: servers and credentials. */
export type ConnectionSettings = Partial<Omit<BusOptions, "logger">>;

/** A connection that is already there (it stays the caller's: `close` leaves it open), or how to make one. */
export type ClientOptions = ClientSettings & (({ bus: Bus } & { servers?: never }) | ConnectionSettings);

/** Where a client looks for NATS when it is not told. */
export const DEFAULT_SERVERS = "nats://127.0.0.1:4222";

/** Default of `timeoutMs`. */
export const DEFAULT_TIMEOUT_MS = 5_000;

/** The part of the options that `connectBus` takes. */
export function toBusOptions(options: ConnectionSettings & ClientSettings): BusOptions {
  const {
    actor: _actor,
    prefix: _prefix,
    stream: _stream,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    ...rest
  } = options;
  const { retryNoResponders: _retry, logger, ...connection } = rest;
  return {
    servers: DEFAULT_SERVERS,
    name: "incipit-client",
    dialTimeoutMs: timeoutMs,
    ...connection,
    logger: logger ?? silentLogger,
  };
}
