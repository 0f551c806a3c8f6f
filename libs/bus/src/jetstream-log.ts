import type { Subjects } from "@incipit/events";
import type { Connection } from "./connection.ts";
import type { EventLog } from "./event-log.ts";

/** The log kept in a JetStream stream. */
export function createJetStreamLog(
  connection: Connection,
  options: { stream: string; subjects: Subjects },
): EventLog {
  throw new Error(`not built yet: ${options.stream} at ${connection.servers}`);
}
