import { connect, createServer } from "node:net";

/**
 * A port of 127.0.0.1 that was free a moment ago: the wanted one, else another. Somebody may take it before you do: be
 * ready to ask again.
 */
export async function findFreePort(wanted = 0): Promise<number> {
  return (await listenOnce(wanted)) ?? (await listenOnce(0)) ?? 0;
}

/** The port on which one can listen; null where somebody else listens there, or it may not be ours. */
function listenOnce(wanted: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (wanted === 0 ? reject(error) : resolve(null)));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === "object" ? address.port : null));
    });
  });
}

/** The first thing a nats-server says to whom it lets in, as JSON; null where nothing listens or it is silent. */
export async function readServerInfo(port: number, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const finish = (value: unknown) => {
      socket.removeAllListeners();
      socket.on("error", () => {});
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(timeoutMs, () => finish(null));
    socket.on("error", () => finish(null));
    socket.on("close", () => finish(null));
    socket.on("data", (chunk) => {
      text += chunk.toString("utf8");
      const line = /^INFO (.+)\r\n/.exec(text)?.[1];
      if (line !== undefined) finish(parseJson(line));
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
