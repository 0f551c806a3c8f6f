import { describe, expect, it } from "vitest";
import { EXIT, type Io } from "./io.ts";
import { runProgram } from "./program.ts";

/** Runs a command line and collects what it prints. Nothing listens where it would connect. */
async function run(...argv: string[]) {
  let out = "";
  let err = "";
  const io: Io = {
    out: (text) => void (out += typeof text === "string" ? text : new TextDecoder().decode(text)),
    err: (text) => void (err += text),
    readStdin: async () => new TextEncoder().encode("{}"),
    env: { NATS_URL: "nats://127.0.0.1:1" },
    ended: new AbortController().signal,
  };
  return { code: await runProgram(argv, io), out, err };
}

const COMMANDS =
  "up add activate deactivate list show versions history render import export log status".split(" ");

describe("the command line", () => {
  it("says what commands there are", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(EXIT.done);
    for (const name of COMMANDS) expect(out).toContain(`\n  ${name} `);
    expect(out).toContain("Exit codes:");
  });

  it.each(COMMANDS)("%s has the options that every command has", async (name) => {
    const { code, out } = await run(name, "--help");
    expect(code).toBe(EXIT.done);
    for (const option of ["--json", "--server", "--creds", "--actor", "--timeout", "--help"])
      expect(out).toContain(option);
  });

  it.each([
    [["lst"], "Did you mean list?"],
    [["list", "--jsn"], "Did you mean --json?"],
    [["nothing-like-it"], "unknown command"],
    [["activate", "a"], "missing required argument 'version'"],
    [["activate", "a", "x"], "whole number"],
    [["list", "a"], "too many arguments"],
    [["list", "--kind", "prompts"], "Allowed choices are prompt, partial, assembly"],
    [["list", "--timeout", "soon"], "duration"],
    [["render", "a", "--context"], "argument missing"],
    [["up", "--port", "65536"], "whole number"],
    [["add", "a", "/nowhere/at/all"], "does not exist"],
    [["render", "a", "--context", "/nowhere/at/all"], "does not exist"],
  ])("%j is wrong usage", async (argv, said) => {
    const { code, out, err } = await run(...argv);
    expect(err).toContain(said);
    expect(code).toBe(EXIT.usage);
    expect(out).toBe("");
  });

  it("is wrong usage without a command, and shows the help", async () => {
    const { code, err } = await run();
    expect(code).toBe(EXIT.usage);
    expect(err).toContain("Usage: incipit");
  });

  it("says that nothing can be reached", async () => {
    const { code, out, err } = await run("list");
    expect(code).toBe(EXIT.unreachable);
    expect(out).toBe("");
    expect(err).toContain("Cannot connect to NATS at");
  });

  it("says so as JSON too", async () => {
    const { err } = await run("list", "--json");
    expect(JSON.parse(err)).toMatchObject({ error: { code: "unavailable", status: 503 } });
  });
});
