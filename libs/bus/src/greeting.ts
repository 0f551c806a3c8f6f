import { createConnection } from "node:net";

const DEFAULT_PORT = 4222;

/**
 * Waits until one of several servers greets, as every NATS server does first, and hangs up. Rejects with the first
 * server's failure where none does in time. Whatever else answers a dial, or takes it and stays silent (a stopped
 * process, another protocol), is told from a server here, since the client would keep such a socket open for ever.
 */
export async function someServerGreets(addresses: readonly string[], timeoutMs: number): Promise<void> {
  try {
    await Promise.any(addresses.map((address) => greets(address, timeoutMs)));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

function greets(address: string, timeoutMs: number): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address.replace(/^[a-z]+:\/\//i, "")}`);
  return new Promise((resolve, reject) => {
    const socket = createConnection(
      port === "" ? DEFAULT_PORT : Number(port),
      hostname.replace(/^\[(.*)\]$/, "$1"),
    );
    let heard = "";
    const settle = (failure?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      if (failure) reject(failure);
      else resolve();
    };
    const timer = setTimeout(
      () => settle(new Error(`no NATS server greeted within ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      heard += chunk;
      if (heard.startsWith("INFO ")) settle();
      else if (heard.length >= "INFO ".length) settle(new Error("what listens there is no NATS server"));
    });
    socket.on("error", settle);
    socket.on("close", () => settle(new Error("it hung up")));
  });
}
