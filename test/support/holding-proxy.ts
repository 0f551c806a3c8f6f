import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a nats-server that can keep log messages from whoever is connected through it; all else goes through. */
export type HoldingProxy = {
  url: string;
  /** From now on no message of the log is handed on. Settles once that many appends are acknowledged, and handed on. */
  hold: (acknowledgements: number) => Promise<void>;
  /** Hands on what was kept, and everything from now on. */
  release: () => void;
  stop: () => Promise<void>;
};

const FRAME = /^(?:MSG|HMSG) (\S+) .*?(\d+)$/;

/** Starts a proxy for a server on loopback. `prefix`: the first tokens of the subjects of the log. */
export async function startHoldingProxy(url: string, prefix: string): Promise<HoldingProxy> {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  let waiting: { left: number; done: () => void } | null = null;
  const kept: (() => void)[] = [];

  /** Whether a frame is handed on. */
  function look(subject: string, payload: string): boolean {
    if (waiting === null) return true;
    if (subject.startsWith(prefix)) return false;
    if (/"stream":"[^"]*", ?"seq":\d+/.test(payload) && --waiting.left === 0) waiting.done();
    return true;
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    let buffered = Buffer.alloc(0);
    upstream.on("data", (chunk) => {
      buffered = Buffer.concat([buffered, chunk]);
      for (;;) {
        const end = buffered.indexOf("\r\n");
        if (end < 0) return;
        const [, subject, bytes] = FRAME.exec(buffered.toString("latin1", 0, end)) ?? [];
        const length = end + 2 + (subject === undefined ? 0 : Number(bytes) + 2);
        if (buffered.length < length) return;
        const frame = buffered.subarray(0, length);
        buffered = buffered.subarray(length);
        if (subject === undefined || look(subject, frame.toString("latin1", end + 2))) client.write(frame);
        else kept.push(() => client.write(frame));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (left) =>
      new Promise((done) => {
        waiting = { left, done };
      }),
    release() {
      waiting = null;
      for (const hand of kept.splice(0)) hand();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
