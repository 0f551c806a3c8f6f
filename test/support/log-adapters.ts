import { connect } from "node:net";
import { connectBus, createMemoryLog, silentLogger, type Bus, type EventLog } from "@incipit/bus";
import { createSubjects, type Subjects } from "@incipit/events";
import { startTestCluster } from "./nats-cluster.ts";
import { natsKinds, startTestServer } from "./nats-servers.ts";

/** One empty log, for one test. */
export type LogFixture = {
  stream: string;
  subjects: Subjects;
  log: EventLog;
  /** The same log as another process would see it: over its own connection, where there are connections. */
  another: () => Promise<EventLog>;
  /** Stores a message past the append protocol. `block`: raw header lines, without the first. */
  write: (subject: string, payload: string, block?: string[]) => Promise<void>;
  /** Throws the stream away and makes it anew, empty. */
  recreate: () => Promise<void>;
};

/** An adapter under the contract. */
export type LogAdapter = {
  name: string;
  available: boolean;
  /** Whether `write` can store any header block. */
  rawHeaders: boolean;
  start: () => Promise<void>;
  fresh: () => Promise<LogFixture>;
  /** Leaves no process behind. */
  stop: () => Promise<void>;
};

/** A server that an adapter is tested on; `dispose` leaves nothing of it. */
export type LogServer = { url: string; port: number; dispose: () => Promise<void> };

/** Every adapter of the log: in memory, on each nats-server that can be had, and on a cluster of three of it. */
export async function logAdapters(): Promise<LogAdapter[]> {
  const kinds = await natsKinds();
  return [
    memoryAdapter(),
    ...kinds.map(({ name, bin }) => jetStreamAdapter(name, bin === null ? null : () => startTestServer(bin))),
    ...kinds.map(({ name, bin }) =>
      jetStreamAdapter(`${name}, three of it`, bin === null ? null : () => startTestCluster(bin), 3),
    ),
  ];
}

function memoryAdapter(): LogAdapter {
  let count = 0;
  return {
    name: "in memory",
    available: true,
    rawHeaders: false,
    start: async () => {},
    stop: async () => {},
    fresh: async () => {
      const subjects = createSubjects(`m${++count}`);
      const stream = `M${count}`;
      const { log, controls } = createMemoryLog({ stream, subjects });
      return {
        stream,
        subjects,
        log,
        another: async () => log,
        write: async (subject, payload) => void controls.write(subject, new TextEncoder().encode(payload)),
        recreate: async () => controls.reset(),
      };
    },
  };
}

/** The adapter over a server of its own, which `startServer` starts; null where there is none to start. */
export function jetStreamAdapter(
  name: string,
  startServer: (() => Promise<LogServer>) | null,
  replicas = 1,
): LogAdapter {
  let server: LogServer | null = null;
  let bus: Bus | null = null;
  const others: Bus[] = [];
  let count = 0;
  const running = () => {
    if (server === null || bus === null) throw new Error(`${name} is not started`);
    return { server, bus };
  };
  return {
    name: `JetStream on ${name}`,
    available: startServer !== null,
    rawHeaders: true,
    async start() {
      if (startServer === null) return;
      server = await startServer();
      bus = await openBus(server.url);
    },
    async stop() {
      await Promise.all([...(bus ? [bus] : []), ...others].map((each) => each.close()));
      await server?.dispose();
    },
    async fresh() {
      const { server: at, bus: ours } = running();
      const subjects = createSubjects(`t${++count}`);
      const stream = `T${count}`;
      const ensure = () => ours.ensureStream({ stream, subjects, replicas });
      await ensure();
      return {
        stream,
        subjects,
        log: ours.log({ stream, subjects }),
        async another() {
          const other = await openBus(at.url);
          others.push(other);
          return other.log({ stream, subjects });
        },
        write: (subject, payload, block) => publishRaw(at.port, subject, payload, block),
        async recreate() {
          await apiCall(at.port, `STREAM.DELETE.${stream}`, {});
          await ensure();
        },
      };
    },
  };
}

/** A connection for a test. */
export async function openBus(url: string): Promise<Bus> {
  return connectBus({ servers: url, name: "test", logger: silentLogger });
}

/** Publishes over the plain protocol, with header lines no client would write, and waits until the server has it. */
export async function publishRaw(port: number, subject: string, payload: string, block: string[] = []) {
  const body = Buffer.from(payload);
  const head = Buffer.from(
    block.length === 0 ? "" : `${["NATS/1.0", ...block].join("\r\n")}\r\n\r\n`,
    "latin1",
  );
  const command =
    head.length === 0
      ? `PUB ${subject} ${body.length}\r\n`
      : `HPUB ${subject} ${head.length} ${head.length + body.length}\r\n`;
  await speak(port, Buffer.concat([Buffer.from(command), head, body, Buffer.from("\r\n")]), /PONG/);
}

/** Calls the JetStream API past our code; the answer as JSON. */
export async function apiCall(port: number, call: string, request: object): Promise<Record<string, unknown>> {
  const body = Buffer.from(JSON.stringify(request));
  const command = `SUB raw.reply 1\r\nPUB $JS.API.${call} raw.reply ${body.length}\r\n`;
  const text = await speak(
    port,
    Buffer.concat([Buffer.from(command), body, Buffer.from("\r\n")]),
    /MSG raw\.reply 1 \d+\r\n([^\r]*)\r\n/,
  );
  return JSON.parse(text) as Record<string, unknown>;
}

/** Says something on a connection of its own and waits for the answer; gives the pattern's group. */
async function speak(port: number, words: Buffer, answer: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let heard = "";
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
      const match = answer.exec(heard);
      if (!match) return;
      socket.destroy();
      resolve(match[1] ?? "");
    });
    socket.write('CONNECT {"verbose":false,"headers":true,"protocol":1}\r\n');
    socket.write(words);
    socket.write("PING\r\n");
  });
}
