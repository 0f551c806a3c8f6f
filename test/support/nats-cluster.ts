import { findFreePort } from "@incipit/nats-server";
import type { LogServer } from "./log-adapters.ts";
import { startTestServer } from "./nats-servers.ts";

/** Three servers that form one cluster: the URLs of all, the port of one. */
export async function startTestCluster(bin: string): Promise<LogServer> {
  const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
  const servers = await Promise.all(
    ports.map((port) =>
      startTestServer(bin, {
        configLines: [`cluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`],
      }),
    ),
  );
  return {
    url: servers.map(({ url }) => url).join(","),
    port: servers[0]?.port ?? 0,
    async dispose() {
      await Promise.all(servers.map((server) => server.dispose()));
    },
  };
}
