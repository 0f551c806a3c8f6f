export { connectBus, type Bus } from "./bus.ts";
export { ConnectionLostError, type BusOptions, type BusState } from "./connection.ts";
export { type DiscoverOptions, type ServiceInstance, type ServiceStats } from "./discovery.ts";
export {
  LogResetError,
  type AppendMessage,
  type AppendOutcome,
  type EventLog,
  type Follower,
  type FollowOptions,
  type FollowState,
  type LogInfo,
} from "./event-log.ts";
export { silentLogger, type Logger } from "./logger.ts";
export { createMemoryLog, type MemoryLogControls, type MemoryLogOptions } from "./memory-log.ts";
export { nodePrimitives } from "./primitives.ts";
export {
  type RpcAnswer,
  type RpcCall,
  type RpcEndpoint,
  type RpcHandler,
  type RpcRequest,
  type RpcServer,
  type RpcService,
} from "./rpc.ts";
export { decodeBody } from "./rpc-codec.ts";
export { serverWarnings } from "./server-warnings.ts";
export { parseServers, type Servers } from "./servers.ts";
export { createSignatureCheck, createSigner, type Signer } from "./signing.ts";
export {
  StreamMismatchError,
  type StreamDifference,
  type StreamOptions,
  type StreamState,
} from "./stream.ts";
export { currentTraceparent, spanLinkFrom } from "./trace.ts";
