import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Whether a service can take work, and why not or how it fares. */
export type Readiness = boolean | { ready: boolean; detail: unknown };

/** A running health server. */
export type HealthServer = {
  port: number;
  close: () => Promise<void>;
};

/**
 * Answers `GET /livez` (200 while the process runs) and `GET /readyz` (200 or 503, as `ready` says) over HTTP. Listens on
 * every interface unless `host` is given: who asks (an orchestrator, a load balancer) stands outside the container, and
 * all there is to learn is whether the service is ready. Rejects where the port cannot be had. Port 0 takes a free one.
 */
export async function startHealthServer(options: {
  port: number;
  ready: () => Readiness;
  host?: string;
}): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?", 1)[0];
    if (path !== "/livez" && path !== "/readyz") answer(response, 404, { error: "not found" });
    else if (request.method !== "GET" && request.method !== "HEAD")
      answer(response.setHeader("allow", "GET, HEAD"), 405, { error: "method not allowed" });
    else if (path === "/livez") answer(response, 200, { live: true });
    else {
      const state = ask(options.ready);
      answer(response, state.ready ? 200 : 503, state);
    }
  });
  server.listen({ port: options.port, host: options.host });
  await once(server, "listening");
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function ask(ready: () => Readiness): { ready: boolean; detail?: unknown } {
  try {
    const state = ready();
    return typeof state === "boolean" ? { ready: state } : { ready: state.ready, detail: state.detail };
  } catch {
    return { ready: false, detail: "the check itself failed" };
  }
}

function answer(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}
