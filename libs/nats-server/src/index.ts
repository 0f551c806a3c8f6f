export { DEFAULT_MAX_PAYLOAD } from "./config.ts";
export { findNatsServer, type Surroundings } from "./executable.ts";
export { ensureNatsServer, howToInstall, type EnsureOptions, type System } from "./installation.ts";
export { findFreePort } from "./ports.ts";
export { startNatsServer, type NatsServer, type StartOptions } from "./server.ts";
export { readNatsServerVersion } from "./version.ts";
