import { findFreePort } from "@incipit/nats-server";
import type { LogServer } from "./log-adapters.ts";
import { startTestServer, type TestServer } from "./nats-servers.ts";

/** How often to begin again: a port that was free may be somebody else's by the time its server listens. */
const TRIES = 5;

/** Three servers that form one cluster: the URLs of all, the port of one. */
export async function startTestCluster(bin: string): Promise<LogServer> {
  const servers = await startTogether(bin);
  return {
    url: servers.map(({ url }) => url).join(","),
    port: servers[0]?.port ?? 0,
    async dispose() {
      await Promise.all(servers.map((server) => server.dispose()));
    },
  };
}

async function startTogether(bin: string): Promise<TestServer[]> {
  for (let attempt = 1; ; attempt++) {
    const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
    const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
    const started = await Promise.allSettled(
      ports.map((port) =>
        startTestServer(bin, {
          configLines: [`cluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`],
        }),
      ),
    );
    const servers = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const failure = started.find((each) => each.status === "rejected");
    if (failure === undefined) return servers;
    await Promise.all(servers.map((server) => server.dispose()));
    if (attempt === TRIES || !String(failure.reason).includes("address already in use")) throw failure.reason;
  }
}
