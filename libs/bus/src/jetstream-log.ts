import type { LogRecord, Subjects } from "@incipit/events";
import type { Connection } from "./connection.ts";
import type { EventLog } from "./event-log.ts";
import { followStream } from "./follower.ts";
import { appendToStream } from "./jetstream-append.ts";
import { getDirect, getFromLeader, type StoredQuery } from "./jetstream-get.ts";
import { streamInfo } from "./stream.ts";

/** The log kept in a JetStream stream. Nothing is sent yet. */
export function createJetStreamLog(
  connection: Connection,
  { stream, subjects }: { stream: string; subjects: Subjects },
): EventLog {
  const ours = subjects.logAll.slice(0, -1);

  async function find(query: StoredQuery, leader: boolean): Promise<LogRecord | null> {
    const near = leader ? null : await getDirect(connection, stream, query);
    return near ?? getFromLeader(connection, stream, query);
  }

  return {
    async info() {
      const info = await streamInfo(connection, stream);
      if (info === null) throw new Error(`There is no stream ${stream} at ${connection.servers}.`);
      return { stream, created: info.created, lastSeq: info.state.last_seq };
    },
    async append(messages, expectedLastSeq) {
      const stray = messages.find(({ subject }) => !subject.startsWith(ours));
      if (stray) throw new Error(`${stray.subject} is not a subject of the log ${subjects.logAll}.`);
      return appendToStream(connection, stream, messages, expectedLastSeq);
    },
    get: async (seq) => (seq < 1 ? null : find({ seq }, false)),
    last: (subject, { leader = false } = {}) => find({ last_by_subj: subject }, leader),
    follow: (options) => followStream(connection, stream, options),
  };
}
