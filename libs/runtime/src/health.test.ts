import { afterEach, expect, it } from "vitest";
import { startHealthServer, type HealthServer, type Readiness } from "./health.ts";

let server: HealthServer | undefined;
afterEach(() => server?.close());

async function ask(path: string, ready: () => Readiness, init: RequestInit = {}) {
  server ??= await startHealthServer({ port: 0, ready, host: "127.0.0.1" });
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
  const result = { status: response.status, body: (await response.text()).trim() };
  await server.close();
  server = undefined;
  return result;
}

it("is live whether ready or not", async () => {
  expect(await ask("/livez", () => false)).toEqual({ status: 200, body: '{"live":true}' });
});

it("is ready only when the service says so, with its detail", async () => {
  expect(await ask("/readyz", () => false)).toEqual({ status: 503, body: '{"ready":false}' });
  expect(await ask("/readyz?verbose", () => true)).toEqual({ status: 200, body: '{"ready":true}' });
  expect(await ask("/readyz", () => ({ ready: false, detail: { seq: 3 } }))).toEqual({
    status: 503,
    body: '{"ready":false,"detail":{"seq":3}}',
  });
});

it("is not ready when the check throws, and says nothing of why", async () => {
  const check = () => {
    throw new Error("secret");
  };
  expect(await ask("/readyz", check)).toEqual({
    status: 503,
    body: '{"ready":false,"detail":"the check itself failed"}',
  });
});

it("has nothing else", async () => {
  expect((await ask("/", () => true)).status).toBe(404);
  expect((await ask("/livez/", () => true)).status).toBe(404);
  expect((await ask("/readyz", () => true, { method: "POST" })).status).toBe(405);
  expect(await ask("/readyz", () => true, { method: "HEAD" })).toEqual({ status: 200, body: "" });
});

it("refuses to start on a port that is taken", async () => {
  server = await startHealthServer({ port: 0, ready: () => true, host: "127.0.0.1" });
  await expect(
    startHealthServer({ port: server.port, ready: () => true, host: "127.0.0.1" }),
  ).rejects.toThrow("EADDRINUSE");
});
