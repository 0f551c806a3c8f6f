import type { Subjects } from "@incipit/events";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import { API_ERRORS, callApi, isApiError, isApiSilence } from "./jetstream-api.ts";

/** The stream to have. */
export type StreamOptions = { stream: string; subjects: Subjects; replicas: number };

/** The stream as it is. */
export type StreamState = {
  /** Whether this call made it, or one at the same moment. */
  created: boolean;
  /** When it was made, ISO-8601. */
  createdAt: string;
  lastSeq: number;
};

/** One setting of an existing stream that is not as it must be. */
export type StreamDifference = { setting: string; expected: unknown; found: unknown };

/** A stream of that name exists and promises less than the log needs. It was left as it is. */
export class StreamMismatchError extends Error {
  override name = "StreamMismatchError";
  readonly differences: readonly StreamDifference[];
  constructor(stream: string, differences: readonly StreamDifference[]) {
    const list = differences
      .map(
        ({ setting, expected, found }) =>
          `${setting}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found) ?? "nothing"}`,
      )
      .join("; ");
    super(`The stream ${stream} exists with a weaker configuration and was left as it is. ${list}.`);
    this.differences = differences;
  }
}

const infoSchema = z.object({
  config: z.record(z.string(), z.unknown()),
  created: z.string(),
  state: z.object({ last_seq: z.int().min(0), messages: z.int().min(0) }),
  did_create: z.boolean().optional(),
});
/** What of the server's description is used. */
export type StreamInfo = z.infer<typeof infoSchema>;

/** A resend of a message id within this time is stored once. Nanoseconds: two minutes. */
const DUPLICATE_WINDOW_NS = 120_000_000_000;

/** How long to wait for a cluster to elect its leader or a leaf to reach its hub, and how often to ask. */
const ELECTION_MS = 15_000;
const ELECTION_POLL_MS = 250;

/** The configuration of the log's stream, as the API takes it. @internal */
export function streamConfig({ stream, subjects, replicas }: StreamOptions) {
  return {
    name: stream,
    subjects: [subjects.logAll],
    storage: "file",
    retention: "limits",
    discard: "new",
    max_msgs: -1,
    max_bytes: -1,
    max_age: 0,
    max_msgs_per_subject: -1,
    max_msg_size: -1,
    max_consumers: -1,
    num_replicas: replicas,
    duplicate_window: DUPLICATE_WINDOW_NS,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
    allow_rollup_hdrs: false,
    republish: { src: subjects.logAll, dest: subjects.liveAll },
  };
}

/** What a stream must not have: each of these lets messages vanish, change, or come from elsewhere. */
const FORBIDDEN = [
  "allow_msg_counter",
  "allow_msg_ttl",
  "discard_new_per_subject",
  "mirror",
  "no_ack",
  "sealed",
  "sources",
  "subject_delete_marker_ttl",
  "subject_transform",
];

/**
 * In what an existing stream promises less than it must. Pure. What promises more (replicas, window) is no difference.
 * @internal
 */
export function streamDifferences(
  found: Readonly<Record<string, unknown>>,
  options: StreamOptions,
): StreamDifference[] {
  const differences: StreamDifference[] = [];
  for (const [setting, expected] of Object.entries(streamConfig(options))) {
    const value = found[setting];
    if (!isAsGood(setting, value, expected)) differences.push({ setting, expected, found: value });
  }
  for (const setting of FORBIDDEN)
    if (!isAbsent(found[setting])) differences.push({ setting, expected: "absent", found: found[setting] });
  if (found["persist_mode"] === "async")
    differences.push({ setting: "persist_mode", expected: "default", found: "async" });
  return differences;
}

function isAsGood(setting: string, found: unknown, expected: unknown): boolean {
  if (setting === "num_replicas" || setting === "duplicate_window")
    return typeof found === "number" && typeof expected === "number" && found >= expected;
  // The server leaves out what is false or zero.
  if (isAbsent(expected)) return isAbsent(found);
  if (setting === "republish") {
    const { src, dest, headers_only } = (found ?? {}) as Record<string, unknown>;
    const wanted = expected as Record<string, unknown>;
    return src === wanted["src"] && dest === wanted["dest"] && isAbsent(headers_only);
  }
  return JSON.stringify(found) === JSON.stringify(expected);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === 0 || value === "";
}

/**
 * Makes sure that the stream is there and as strict as the log needs. Any number of processes may call this at once. An
 * existing stream with a weaker configuration is refused with `StreamMismatchError`, never altered.
 */
export async function ensureStream(connection: Connection, options: StreamOptions): Promise<StreamState> {
  const deadline = Date.now() + ELECTION_MS;
  for (;;) {
    try {
      return await ensureOnce(connection, options);
    } catch (error) {
      const noLeader = isApiError(error, API_ERRORS.unavailable) || isApiSilence(error);
      if (!noLeader || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, ELECTION_POLL_MS));
    }
  }
}

async function ensureOnce(connection: Connection, options: StreamOptions): Promise<StreamState> {
  const existing = await streamInfo(connection, options.stream);
  const info = existing ?? (await createStream(connection, options));
  const differences = streamDifferences(info.config, options);
  if (differences.length > 0) throw new StreamMismatchError(options.stream, differences);
  return {
    created: existing === null && info.did_create === true,
    createdAt: info.created,
    lastSeq: info.state.last_seq,
  };
}

async function createStream(connection: Connection, options: StreamOptions): Promise<StreamInfo> {
  try {
    return await callApi(connection, `STREAM.CREATE.${options.stream}`, streamConfig(options), infoSchema);
  } catch (error) {
    // Somebody else made it in between, with another configuration: say in what it differs.
    const other = isApiError(error, API_ERRORS.streamNameInUse)
      ? await streamInfo(connection, options.stream)
      : null;
    if (other === null) throw error;
    return other;
  }
}

/** The stream as the leader describes it; null where there is none. */
export async function streamInfo(connection: Connection, stream: string): Promise<StreamInfo | null> {
  try {
    return await callApi(connection, `STREAM.INFO.${stream}`, {}, infoSchema);
  } catch (error) {
    if (isApiError(error, API_ERRORS.streamNotFound)) return null;
    throw error;
  }
}
