import { beforeAll, describe, expect, it } from "vitest";
import { compile, startFixture } from "../fixtures/child.ts";

beforeAll(compile);

describe("a process that is told to stop", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("stops its service and exits 0 on %s", async (signal) => {
    const child = startFixture("runs");
    await child.said('"started"');
    child.signal(signal);
    const { code, stdout } = await child.ended;
    expect(stdout).toMatch(/is stopping.*\n.*"left".*\n.*has stopped/);
    expect(code).toBe(0);
  });

  it("exits 1 and says so when the stop takes too long", async () => {
    const child = startFixture("stop hangs");
    await child.said('"started"');
    child.signal("SIGTERM");
    const { code, stdout } = await child.ended;
    expect(stdout).toContain("did not stop in time");
    expect(code).toBe(1);
  });

  it("exits 1 with the cause when the stop fails", async () => {
    const child = startFixture("stop throws");
    await child.said('"started"');
    child.signal("SIGTERM");
    const { code, stdout } = await child.ended;
    expect(stdout).toContain("cannot stop");
    expect(code).toBe(1);
  });

  it("exits at once when it is told again", async () => {
    const child = startFixture("stop hangs");
    await child.said('"started"');
    child.signal("SIGTERM");
    await child.said("is stopping");
    child.signal("SIGINT");
    const { code, stdout } = await child.ended;
    expect(stdout).toContain("exits at once");
    expect(stdout).not.toContain("in time");
    expect(code).toBe(1);
  });

  it("stops what a start under way makes, and exits 0", async () => {
    const child = startFixture("start waits");
    await child.said('"starting"');
    child.signal("SIGTERM");
    const { code, stdout } = await child.ended;
    expect(stdout).toMatch(/gave up waiting.*\n(.*\n)*.*"left"/);
    expect(code).toBe(0);
  });

  it("exits 0 when a start under way gives up by failing", async () => {
    const child = startFixture("start rejects when told");
    await child.said('"starting"');
    child.signal("SIGTERM");
    const { code, stdout } = await child.ended;
    expect(stdout).toContain("told to stop before it had started");
    expect(code).toBe(0);
  });

  it("does not wait for a start that never ends", async () => {
    const child = startFixture("start hangs");
    await child.said('"starting"');
    child.signal("SIGTERM");
    expect(await child.ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("did not stop in time"),
    });
  });
});

describe("a process that cannot go on", () => {
  it.each([
    ["start throws", "could not start"],
    ["rejects", "met an unhandled rejection"],
    ["throws", "met an uncaught exception"],
  ])("exits 1 with a fatal line: %s", async (behaviour, message) => {
    const { code, stdout } = await startFixture(behaviour).ended;
    expect(stdout).toMatch(new RegExp(`"level":"fatal".*${message}`));
    expect(code).toBe(1);
  });

  it.each(["fails", "fails in start"])(
    "stops its service before it exits 1 when that %s",
    async (behaviour) => {
      const { code, stdout } = await startFixture(behaviour).ended;
      expect(stdout).toMatch(/"level":"fatal".*the log is gone.*cannot go on/);
      expect(stdout).toContain('"left"');
      expect(code).toBe(1);
    },
  );

  it("prints a fault of the configuration for a person, and exits 2", async () => {
    const child = startFixture("config fault");
    expect(await child.ended).toMatchObject({
      code: 2,
      stderr: "The configuration has a fault:\n  NATS_CREDS cannot be read. Expected: a file.\n",
    });
  });

  it("exits 2 before it starts anything when the environment is wrong", async () => {
    const { code, stdout, stderr } = await startFixture("runs", { LOG_LEVEL: "loud" }).ended;
    expect(stderr).toContain('LOG_LEVEL is "loud"');
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});
