import type { Result } from "@incipit/schema";
import type { Subjects } from "@incipit/events";
import { openConnection, type BusOptions, type BusState } from "./connection.ts";
import {
  askStats,
  discover,
  type DiscoverOptions,
  type ServiceInstance,
  type ServiceStats,
} from "./discovery.ts";
import type { EventLog } from "./event-log.ts";
import { createJetStreamLog } from "./jetstream-log.ts";
import { requestOn } from "./rpc-client.ts";
import { serveOn } from "./rpc-server.ts";
import type { RpcAnswer, RpcCall, RpcServer, RpcService } from "./rpc.ts";
import { serverWarnings } from "./server-warnings.ts";
import { ensureStream, type StreamOptions, type StreamState } from "./stream.ts";

/** A connection to the bus and all that can be done over it. */
export type Bus = {
  /** Sends a request and waits for its reply. What can go wrong on a bus is a refusal, never an exception. */
  request: (call: RpcCall) => Promise<Result<RpcAnswer>>;
  /** Answers requests until the returned server is stopped. */
  serve: (service: RpcService) => Promise<RpcServer>;
  /** The running instances of a service that answer within a while. */
  discover: (service: string, options: DiscoverOptions) => Promise<ServiceInstance[]>;
  /** The same with what each tells of its state. */
  askStats: (service: string, options: DiscoverOptions) => Promise<ServiceStats[]>;
  /** The log kept in a stream. Nothing is sent yet. */
  log: (options: { stream: string; subjects: Subjects }) => EventLog;
  /** Creates the stream, or checks the one that is there; throws `StreamMismatchError` if that one is weaker. */
  ensureStream: (options: StreamOptions) => Promise<StreamState>;
  /** The connected server's version, such as `2.9.10`; it can change with a reconnect. */
  readonly serverVersion: string;
  /** What is known to be unsafe about that version, in sentences. */
  readonly serverWarnings: string[];
  isConnected: () => boolean;
  /** Calls back at every change of state; the returned function ends that. */
  onState: (callback: (state: BusState) => void) => () => void;
  /** Finishes what was sent and handled, then leaves. */
  close: () => Promise<void>;
};

/** Connects to the bus. Throws an Error that names the server if that fails; afterwards reconnects for ever. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const connection = await openConnection(options);
  return {
    request: (call) => requestOn(connection, call),
    serve: (service) => serveOn(connection, service),
    discover: (service, options) => discover(connection, service, options),
    askStats: (service, options) => askStats(connection, service, options),
    log: (log) => createJetStreamLog(connection, log),
    ensureStream: (stream) => ensureStream(connection, stream),
    get serverVersion() {
      return connection.serverVersion();
    },
    get serverWarnings() {
      return serverWarnings(connection.serverVersion());
    },
    isConnected: connection.isConnected,
    onState: connection.onState,
    close: connection.close,
  };
}
