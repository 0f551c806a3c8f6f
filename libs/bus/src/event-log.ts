import type { LogRecord } from "@incipit/events";

/** A message to append. `id` becomes `Nats-Msg-Id`, so that a resend within the window is stored once. */
export type AppendMessage = {
  id: string;
  subject: string;
  payload: Uint8Array;
  headers?: Readonly<Record<string, string>>;
};

/** What became of an append. */
export type AppendOutcome =
  /** All messages are stored, at these positions. */
  | { outcome: "appended"; seqs: number[] }
  /** Somebody else wrote first: the first message was refused, and with it all that follow. Nothing is stored. */
  | { outcome: "conflict" }
  /**
   * A message is larger than the log takes: `bytes`, with its headers, where the limit is `limit`. Nothing is stored, and
   * sending it again will not help.
   */
  | { outcome: "tooLarge"; bytes: number; limit: number }
  /**
   * No acknowledgement of all of them came (timeout, lost connection, a server that cannot store now): read the log to learn
   * what is stored.
   */
  | { outcome: "unknown"; cause: unknown };

/** The log as its server describes it now. */
export type LogInfo = {
  stream: string;
  /** Creation time of the stream, ISO-8601: tells a recreated stream from the one a checkpoint came from. */
  created: string;
  /** Position of the last message; 0 where the log is empty. */
  lastSeq: number;
};

/** Whether what a follower has handed over is known to be all there is. */
export type FollowState = "live" | "stale";

/** How to follow the log. */
export type FollowOptions = {
  /** A log subject or wildcard. */
  filter: string;
  /** The first position to deliver, or only the last message of each subject first and then everything new. */
  from: number | "lastPerSubject";
  /**
   * Called with what has arrived, in order, each position once or (after a reset) again; never called again before it
   * has returned. If it throws, following stops and `failed` rejects.
   */
  onRecords: (records: readonly LogRecord[]) => void | Promise<void>;
  /**
   * `live` once everything that was pending when following began (or began again after an outage) has been handed over;
   * `stale` as soon as the connection is lost or the server has gone silent.
   */
  onState?: (state: FollowState) => void;
};

/**
 * The stream was made anew or lost its end: positions mean something else now. Whoever keeps a state by position throws it
 * away and reads the log from its start.
 */
export class LogResetError extends Error {
  override name = "LogResetError";
}

/** A running follower. It survives lost connections, server restarts and resets, for ever, until stopped. */
export type Follower = {
  /** Settles when the follower first becomes `live`. */
  ready: Promise<void>;
  /**
   * Rejects if `onRecords` threw, or with `LogResetError` if the log is no longer the one that was followed; never
   * resolves. It may be ignored: an unhandled rejection it is not.
   */
  failed: Promise<never>;
  /** How many matching messages were not yet handed over when last heard of; 0 when `live`. */
  pending: () => number;
  stop: () => Promise<void>;
};

/** The log, as its users see it. Every adapter passes one contract suite. An outage is an exception. */
export type EventLog = {
  info: () => Promise<LogInfo>;
  /**
   * Appends messages in order, the first only if the log's last position is `expectedLastSeq`, each further one only
   * right behind the one before it. Sent one after the other: no message of a command is stored whose predecessor is not.
   * A message that is already stored just where it belongs counts as appended, so a resend is harmless. An exception is a
   * bug here: an outage is `unknown`.
   */
  append: (messages: readonly AppendMessage[], expectedLastSeq: number) => Promise<AppendOutcome>;
  /** The message at a position, or null. Asks any replica, then the leader before it says null. */
  get: (seq: number) => Promise<LogRecord | null>;
  /** The newest message of a subject or wildcard, or null. `leader`: never ask a replica that may lag. */
  last: (subject: string, options?: { leader?: boolean }) => Promise<LogRecord | null>;
  follow: (options: FollowOptions) => Follower;
};
