import {
  connectBus,
  silentLogger,
  type Bus,
  type Logger,
  type RpcAnswer,
  type RpcEndpoint,
  type RpcServer,
  type RpcService,
} from "@incipit/bus";
import type { Result } from "@incipit/schema";
import { connect, type MsgHdrs, type NatsConnection } from "nats";
import { onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "./nats-servers.ts";

/** Largest message that the server of these tests takes, in bytes. */
export const MAX_PAYLOAD = 64 * 1024;
/** How long a call of these tests waits, in milliseconds: what comes at once comes long before. */
export const WAIT_MS = 5_000;

/** An endpoint as tests write it: the rest is filled in. */
export type Endpoint = Partial<RpcEndpoint> & Pick<RpcEndpoint, "subject" | "handler">;

/** One server, one client of ours and one that is not. */
export type RpcBench = {
  server: TestServer;
  client: Bus;
  raw: NatsConnection;
  /** Another connection; as user `few` it may not send to `t.secret.>` nor listen on `t.closed`. */
  connect: (options?: { user?: "few"; logger?: Logger }) => Promise<Bus>;
  /** Serves on a connection of its own until the test is over. */
  serve: (endpoint: Endpoint, logger?: Logger) => Promise<RpcServer>;
  call: (subject: string, body?: unknown, timeoutMs?: number) => Promise<Result<RpcAnswer>>;
  /** What a client that is not ours gets. */
  callRaw: (
    subject: string,
    payload: string | Uint8Array,
  ) => Promise<{ body: unknown; headers: MsgHdrs | undefined }>;
  dispose: () => Promise<void>;
};

/** A service with one endpoint. */
export function serviceOf(endpoint: Endpoint): RpcService {
  return {
    name: "a-service",
    version: "1.2.3",
    description: "for tests",
    queue: "q",
    endpoints: [{ name: "endpoint", template: "t.any", ...endpoint }],
  };
}

/** Starts the server and both clients. */
export async function startRpcBench(bin: string): Promise<RpcBench> {
  const server = await startTestServer(bin, {
    maxPayload: MAX_PAYLOAD,
    configLines: [
      `no_auth_user: all`,
      `authorization: { users: [`,
      `  { user: all, password: all }`,
      `  { user: few, password: few, permissions: {`,
      `    publish: { deny: ["t.secret.>"] }, subscribe: { deny: ["t.closed"] } } }`,
      `] }`,
    ],
  });
  const join: RpcBench["connect"] = ({ user, logger = silentLogger } = {}) =>
    connectBus({
      servers: server.url,
      name: "test",
      logger,
      ...(user !== undefined && { user, password: user }),
    });
  const client = await join();
  const raw = await connect({ servers: server.url });
  return {
    server,
    client,
    raw,
    connect: join,
    async serve(endpoint, logger) {
      const bus = await join(logger ? { logger } : {});
      const running = await bus.serve(serviceOf(endpoint));
      onTestFinished(async () => {
        await running.stop();
        await bus.close();
      });
      return running;
    },
    call: (subject, body = {}, timeoutMs = WAIT_MS) =>
      client.request({ subject, template: "t.any", body, timeoutMs }),
    async callRaw(subject, payload) {
      const { data, headers } = await raw.request(subject, payload, { timeout: WAIT_MS });
      return { body: JSON.parse(new TextDecoder().decode(data)), headers };
    },
    async dispose() {
      await client.close();
      await raw.close();
      await server.dispose();
    },
  };
}

/** A promise and its key: what a handler waits for until the test says so. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
