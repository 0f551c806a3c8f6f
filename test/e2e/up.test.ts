import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAlive, runIncipit, startUp, type Up } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";

let dir: string;
let up: Up;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-up-"));
  up = await startUp(["--port", "0", "--data", path.join(dir, "data")]);
});
afterAll(async () => {
  up.signal("SIGTERM");
  await up.exited;
  await rm(dir, { recursive: true, force: true });
});

describe("up", () => {
  const everyoneOf = ({ natsPid, servicePids, pid }: Up) => [pid, natsPid, ...servicePids];
  const allGone = (pids: readonly number[]) =>
    eventually("every process has ended", () => pids.every((pid) => !isAlive(pid)));

  it("refuses a folder that another one uses, and leaves that one alone", async () => {
    const { code, stderr } = await runIncipit(["up", "--port", "0", "--data", path.join(dir, "data")]);
    expect(code).toBe(1);
    expect(stderr).toContain(`is in use by the incipit up of process ${up.pid}`);
    expect((await runIncipit(["status"], { env: { NATS_URL: up.url } })).code).toBe(0);
  });

  it("takes a free port where the given one is taken, and ends all on Ctrl-C", async () => {
    const port = new URL(up.url).port;
    const second = await startUp(["--port", port, "--data", path.join(dir, "second")]);
    expect(second.stderr()).toContain(`port ${port} is taken`);
    expect(second.url).not.toBe(up.url);
    second.interrupt();
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(second.stderr()).toMatch(/\nincipit: everything has ended\.\n$/);
    await allGone(everyoneOf(second));
  });

  it("says once what is unsafe about the server it has started", async () => {
    const status = await runIncipit(["status", "--json"], { env: { NATS_URL: up.url } });
    const { server } = JSON.parse(status.stdout) as { server: { warnings: string[] } };
    const said = () => up.stderr().match(/^incipit: warning: .*$/gm) ?? [];
    await eventually("it has said all", () => said().length >= server.warnings.length);
    expect(said()).toEqual(server.warnings.map((warning) => `incipit: warning: ${warning}`));
  });

  it("keeps what was stored for the next time", async () => {
    const data = path.join(dir, "kept");
    const first = await startUp(["--port", "0", "--data", data]);
    const env = { NATS_URL: first.url };
    await runIncipit(["add", "kept/one", "-", "--activate"], { env, stdin: "still here" });
    first.signal("SIGTERM");
    await first.exited;
    const second = await startUp(["--port", "0", "--data", data]);
    expect((await runIncipit(["render", "kept/one"], { env: { NATS_URL: second.url } })).stdout).toBe(
      "still here",
    );
    second.signal("SIGTERM");
    expect((await second.exited).code).toBe(0);
  });

  it.each(["nats-server", "registry"])("ends all with 1 where its %s is killed", async (part) => {
    const one = await startUp(["--port", "0", "--data", path.join(dir, `killed-${part}`)]);
    process.kill(part === "registry" ? (one.servicePids[0] ?? 0) : one.natsPid, "SIGKILL");
    expect(await one.exited).toEqual({ code: 1, signal: null });
    expect(one.stderr()).toContain(part);
    await allGone(everyoneOf(one));
  });

  it("ends all with 1, and shows why, where a service does not start", async () => {
    const data = path.join(dir, "misconfigured");
    const env = { INCIPIT_CACHE_BYTES: "lots" };
    const { code, stdout, stderr } = await runIncipit(["up", "--port", "0", "--data", data], { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("renderer-1 ended with code 2");
    expect(stderr).toContain("INCIPIT_CACHE_BYTES");
  });

  it.each([
    ["a file stands where the logs go", (data: string) => writeFile(path.join(data, "logs"), "")],
    ["a file stands where the server's data goes", (data: string) => writeFile(path.join(data, "nats"), "")],
    [
      "a service's log cannot be written",
      (data: string) => mkdir(path.join(data, "logs", "registry.log"), { recursive: true }),
    ],
  ])("ends all with 1 where %s", async (name, spoil) => {
    const data = await mkdtemp(path.join(dir, "spoilt-"));
    await spoil(data);
    const { code, stdout, stderr } = await runIncipit(["up", "--port", "0", "--data", data]);
    expect({ name, code, stdout }).toEqual({ name, code: 1, stdout: "" });
    expect(stderr).toMatch(/^incipit: (EEXIST|EISDIR|ENOTDIR)\b/);
  });

  it("leaves nothing behind where it is itself killed", async () => {
    const one = await startUp(["--port", "0", "--data", path.join(dir, "orphaned")]);
    one.signal("SIGKILL");
    await one.exited;
    await allGone(everyoneOf(one));
    const next = await startUp(["--port", "0", "--data", path.join(dir, "orphaned")]);
    next.signal("SIGTERM");
    expect((await next.exited).code).toBe(0);
  });
});
