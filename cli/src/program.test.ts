import { describe, expect, it } from "vitest";
import { EXIT, type Io } from "./io.ts";
import { runProgram } from "./program.ts";

/** Runs a command line and collects what it prints. Nothing listens where it would connect. */
async function run(...args: [{ stdin: string }, ...string[]] | string[]) {
  const [given, ...rest] = args;
  const stdin = typeof given === "object" ? given.stdin : "{}";
  const argv = typeof given === "string" ? [given, ...rest] : rest;
  let out = "";
  let err = "";
  const io: Io = {
    out: (text) => void (out += typeof text === "string" ? text : new TextDecoder().decode(text)),
    err: (text) => void (err += text),
    readStdin: async () => new TextEncoder().encode(stdin),
    env: { NATS_URL: "nats://127.0.0.1:1" },
    ended: new AbortController().signal,
  };
  return { code: await runProgram(argv.map(String), io), out, err };
}

const COMMANDS =
  "up add activate deactivate list show versions history render import export check log status".split(" ");
const CONTRACT_COMMANDS = "publish show list reference types infer".split(" ");

describe("the command line", () => {
  it("says what commands there are", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(EXIT.done);
    for (const name of [...COMMANDS, "contract"]) expect(out).toContain(`\n  ${name} `);
    const { out: contract } = await run("contract", "--help");
    for (const name of CONTRACT_COMMANDS) expect(contract).toContain(`\n  ${name} `);
    expect(out).toContain("Exit codes:");
  });

  const named = [
    ...COMMANDS.filter((name) => name !== "up"),
    ...CONTRACT_COMMANDS.map((name) => `contract ${name}`),
  ];
  it.each(named)("%s has the options that every command has", async (name) => {
    const { code, out } = await run(...name.split(" "), "--help");
    expect(code).toBe(EXIT.done);
    for (const option of ["--json", "--server", "--creds", "--actor", "--timeout", "--help"])
      expect(out).toContain(option);
  });

  it("up, which talks to nobody else's server, does not ask where one is", async () => {
    const { out } = await run("up", "--help");
    expect(out).toContain("--json");
    for (const option of ["--server", "--creds", "--actor", "--timeout"]) expect(out).not.toContain(option);
  });

  it("asks for a version of a contract where that is asked for", async () => {
    const { code, out } = await run("contract", "show", "x", "--version", "1");
    expect([code, out]).toEqual([EXIT.unreachable, ""]);
  });

  it("says its version", async () => {
    expect(await run("--version")).toEqual({ code: EXIT.done, out: "0.1.0\n", err: "" });
  });

  it("says in the help of add what becomes of settings that are left out", async () => {
    const { out } = await run("add", "--help");
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain("A setting that is left out is that of the newest version");
    expect(text).toContain("--no-tags take all tags away");
    expect(text).toContain("this release stores it, and always fails");
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
    [["list", "--timeout", "5"], "Write 5s or 5ms."],
    [["list", "--server", "garbage://x"], "is not a NATS URL"],
    [["list", "--creds", "/nowhere/a.creds"], "/nowhere/a.creds cannot be read"],
    [["add", "a", "-", "--tag", "x", "--no-tags"], "contradict"],
    [["up", "--server", "nats://x"], "unknown option"],
    [["up", "--data", "/dev/null"], "a file of that name stands there"],
    [["up", "--data", "/dev/null/x"], "it is no folder"],
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

  it.each([
    [["lst", "--json"], "unknown command 'lst'"],
    [["list", "--json", "--timeout", "5"], "Write 5s or 5ms."],
    [["list", "--json", "--server", "garbage://x"], "is not a NATS URL"],
    [["add", "a", "/nowhere/at/all", "--json"], "does not exist"],
    [["render", "a", "--context", "/nowhere/at/all", "--json"], "does not exist"],
    [["list", "--json"], "nothing listens there"],
  ])("%j says what is wrong as one line of JSON", async (argv, said) => {
    const { out, err } = await run(...argv);
    expect(out).toBe("");
    const { error } = JSON.parse(err) as { error: { code: string; message: string } };
    expect(error.message).toContain(said);
    expect(error.code).toMatch(/^(bad_request|unavailable)$/);
    expect(err).toMatch(/^[^\n]+\n$/);
  });

  it.each([
    ["{}x", "stdin is not JSON: at line 1, column 3"],
    ['{\n  "a": tru\n}', "stdin is not JSON: at line 2, column 8"],
    ["[1]", "stdin is JSON, but not an object"],
  ])("says where the context %j is none", async (context, said) => {
    const { code, err } = await run({ stdin: context }, "render", "a", "--context", "-");
    expect(err).toContain(said);
    expect(code).toBe(EXIT.usage);
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
    expect(err).toContain("hint: `incipit up` starts one.");
  });

  it("says so as JSON too", async () => {
    const { err } = await run("list", "--json");
    expect(JSON.parse(err)).toMatchObject({ error: { code: "unavailable", status: 503 } });
  });
});
