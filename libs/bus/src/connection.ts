import { readFile } from "node:fs/promises";
import {
  connect,
  createInbox,
  credsAuthenticator,
  Events,
  nkeyAuthenticator,
  type ConnectionOptions,
  type NatsConnection,
  type Status,
} from "nats";
import type { Logger } from "./logger.ts";
import { createRequests, type RawRequest, type Reply } from "./requests.ts";
import { someServerGreets } from "./greeting.ts";
import { parseServers, withoutSecrets } from "./servers.ts";

/** Whom to connect to, and as whom. At most one of `credsFile`, `user` and `nkeySeed`. */
export type BusOptions = {
  /** One or several URLs, separated by commas: `nats://host:4222`, `tls://…`; `nats://user:password@…` works too. */
  servers: string;
  /** What the server calls this connection. */
  name: string;
  /** File with a JWT and its seed, read once at connect. */
  credsFile?: string;
  user?: string;
  password?: string;
  /** Ed25519 user seed, `SU…`. */
  nkeySeed?: string;
  /** PEM file of the authority that signed the server's certificate. TLS is then required. */
  caFile?: string;
  /** First tokens of the subjects that replies come to; accounts grant one per user. Default `_INBOX`. */
  inboxPrefix?: string;
  /** How long to keep trying to reach a server at first, in milliseconds. 0, the default: each server once. */
  firstConnectMs?: number;
  /** How long one attempt to connect may take, in milliseconds. Default 5000. */
  dialTimeoutMs?: number;
  logger: Logger;
};

/** What a connection tells of itself, in the order it happens. */
export type BusState = "connected" | "disconnected" | "reconnected" | "closed";

/** A NATS connection with its state. Never leaves this package. */
export type Connection = {
  nats: NatsConnection;
  /** The servers as given, without secrets: for messages to people. */
  servers: string;
  logger: Logger;
  /** The server's version now, `2.9.10`; it can change with a reconnect. */
  serverVersion: () => string;
  isConnected: () => boolean;
  /** Calls back at every change of state; the returned function ends that. */
  onState: (callback: (state: BusState) => void) => () => void;
  /**
   * A request whose wait ends at once when the connection is lost. Throws `ConnectionLostError` then, and the client's
   * own error on timeout, no responders or a forbidden subject. It may have been handled all the same.
   */
  request: (subject: string, payload: Uint8Array | string, options: RawRequest) => Promise<Reply>;
  /** A subject of our own, under the inbox prefix, to be answered on. */
  createInbox: () => string;
  /** Finishes what was sent and handled, then leaves. */
  close: () => Promise<void>;
};

/** The connection is down: nothing was sent, or its answer cannot come any more. */
export class ConnectionLostError extends Error {
  override name = "ConnectionLostError";
}

/** The server forbids this connection to publish on a subject. */
export class PublishDeniedError extends Error {
  override name = "PublishDeniedError";
  readonly subject: string;

  constructor(subject: string) {
    super(`NATS does not let us publish on ${subject}.`);
    this.subject = subject;
  }
}

/** A silent server is noticed after two to three of these. */
const PING_INTERVAL_MS = 3_000;
const MAX_PINGS_OUT = 2;
/** Waits between attempts to reconnect: between the two, at random, so that clients do not return in step. */
const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 1_000;
/** Default of `dialTimeoutMs`. */
const DIAL_TIMEOUT_MS = 5_000;

/** Connects; from then on it reconnects for ever. Throws an Error that names the server if the first connect fails. */
export async function openConnection(options: BusOptions): Promise<Connection> {
  const servers = withoutSecrets(options.servers);
  const nats = await connectFirst(await natsOptions(options), servers, options.firstConnectMs ?? 0);
  return watch(nats, servers, options);
}

async function natsOptions(options: BusOptions): Promise<ConnectionOptions> {
  const { addresses, user, password, tls } = parseServers(options.servers);
  const login = { user: options.user ?? user, pass: options.password ?? password };
  const result: ConnectionOptions = {
    servers: addresses,
    name: options.name,
    timeout: options.dialTimeoutMs ?? DIAL_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    // Credentials may be wrong for a while (a server that is being reconfigured) and right again later.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => RECONNECT_MIN_MS + Math.random() * (RECONNECT_MAX_MS - RECONNECT_MIN_MS),
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_PINGS_OUT,
    noAsyncTraces: true,
  };
  if (options.inboxPrefix !== undefined) result.inboxPrefix = options.inboxPrefix;
  if (options.caFile !== undefined) result.tls = { caFile: options.caFile };
  else if (tls) result.tls = {};
  if (options.credsFile !== undefined)
    result.authenticator = credsAuthenticator(await readFile(options.credsFile));
  else if (options.nkeySeed !== undefined)
    result.authenticator = nkeyAuthenticator(new TextEncoder().encode(options.nkeySeed));
  else if (login.user !== undefined) Object.assign(result, { user: login.user, pass: login.pass ?? "" });
  return result;
}

async function connectFirst(
  options: ConnectionOptions,
  servers: string,
  waitMs: number,
): Promise<NatsConnection> {
  const deadline = Date.now() + waitMs;
  const addresses = [options.servers ?? []].flat();
  for (;;) {
    try {
      await someServerGreets(addresses, options.timeout ?? DIAL_TIMEOUT_MS);
      return await connect(options);
    } catch (cause) {
      const left = deadline - Date.now();
      if (left <= 0 || isAuthError(cause)) throw new Error(explainFailure(servers, cause), { cause });
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 50 + Math.random() * 200)));
    }
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown";

const isAuthError = (error: unknown) => codeOf(error).startsWith("AUTH");

function explainFailure(servers: string, cause: unknown): string {
  if (isAuthError(cause)) return `NATS at ${servers} refused these credentials.`;
  const reason = ["CONNECTION_REFUSED", "ECONNREFUSED"].includes(codeOf(cause))
    ? "nothing listens there"
    : cause instanceof Error && cause.message !== ""
      ? cause.message
      : "no reason given";
  return `Cannot connect to NATS at ${servers}: ${reason}.`;
}

function watch(nats: NatsConnection, servers: string, options: BusOptions): Connection {
  const { logger } = options;
  const newInbox = () => createInbox(options.inboxPrefix);
  const requests = createRequests(nats, newInbox());
  const callbacks = new Set<(state: BusState) => void>();
  let connected = true;
  let version = nats.info?.version ?? "";

  function enter(state: BusState) {
    connected = state === "connected" || state === "reconnected";
    if (connected) version = nats.info?.version ?? version;
    else requests.failAll(new ConnectionLostError(`The connection to NATS at ${servers} is lost.`));
    for (const callback of callbacks) callback(state);
  }

  function onStatus(status: Status) {
    if (status.type === Events.Disconnect) {
      logger.warn({ servers }, "disconnected from NATS");
      enter("disconnected");
    } else if (status.type === Events.Reconnect) {
      logger.info({ server: nats.getServer() }, "reconnected to NATS");
      enter("reconnected");
    } else if (status.type === Events.Error) {
      const denied = status.permissionContext;
      logger.error({ code: status.data, ...denied }, "NATS reports an error");
      if (denied?.operation === "publish")
        requests.failAll(new PublishDeniedError(denied.subject), denied.subject);
    }
  }

  async function readStatus() {
    for await (const status of nats.status()) onStatus(status);
  }
  async function awaitClose() {
    const error = await nats.closed();
    if (error instanceof Error) logger.error({ err: error }, "the connection to NATS is closed");
    enter("closed");
  }
  void readStatus();
  void awaitClose();

  return {
    nats,
    servers,
    logger,
    serverVersion: () => version,
    isConnected: () => connected,
    onState(callback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    async request(subject, payload, request) {
      if (!connected) throw new ConnectionLostError(`There is no connection to NATS at ${servers}.`);
      return requests.send(subject, payload, request);
    },
    createInbox: newInbox,
    async close() {
      if (!nats.isClosed() && !nats.isDraining() && connected) {
        // Without a connection there is nobody to drain to, and draining would wait for one: also if it is lost meanwhile.
        const lost = new Promise<void>((resolve) => callbacks.add(() => connected || resolve()));
        await Promise.race([nats.drain(), lost]);
      }
      if (!nats.isClosed() && !connected) await nats.close();
      await nats.closed();
    },
  };
}
