import { knowsSyncAlways } from "./version.ts";

/** What the configuration file of one server says. */
export type ConfigOptions = {
  /** The program's version: an old one refuses settings it does not know. */
  version: string;
  serverName: string;
  port: number;
  /** Folder for JetStream's files; null: a server without JetStream. */
  jetStreamDir: string | null;
  /** Name by which servers linked to this one tell its streams from others'. */
  jetStreamDomain?: string;
  /** Largest message, in bytes. */
  maxPayload: number;
  /** Further lines, as written in a configuration file. */
  configLines: readonly string[];
};

/** The largest message that clients may send, unless told otherwise: 8 MB, the most the server takes unwarned. */
export const DEFAULT_MAX_PAYLOAD = 8 * 1024 * 1024;

/** Writes a server's configuration file: loopback only, JetStream on, an fsync for each message where it can. Pure. */
export function natsServerConfig(options: ConfigOptions): string {
  const { version, serverName, port, jetStreamDir, maxPayload, configLines } = options;
  return [
    `server_name: ${JSON.stringify(serverName)}`,
    `listen: "127.0.0.1:${port}"`,
    `max_payload: ${maxPayload}`,
    ...(jetStreamDir === null
      ? []
      : [
          "jetstream {",
          `  store_dir: ${JSON.stringify(jetStreamDir)}`,
          ...(options.jetStreamDomain === undefined ? [] : [`  domain: ${options.jetStreamDomain}`]),
          ...(knowsSyncAlways(version) ? ["  sync_interval: always"] : []),
          "}",
        ]),
    ...configLines,
    "",
  ].join("\n");
}
