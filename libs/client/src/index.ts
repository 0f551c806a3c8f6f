export { createClient, type Answer, type Client } from "./client.ts";
export { DEFAULT_SERVERS, DEFAULT_TIMEOUT_MS, type ClientOptions, type ClientSettings } from "./options.ts";
export { IncipitError, unwrap } from "./error.ts";
export { parseJsonText } from "./json-text.ts";
export type { Answered, CallOptions } from "./call.ts";
export type { FallbackText, Rendered, RenderOptions } from "./render.ts";
export type { QueryOptions } from "./queries.ts";
export type { LogEntry, LogOptions } from "./log.ts";
