import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIncipit, startUp, type Up } from "../support/command.ts";

const text = { type: "string", description: "d" };
const first = { type: "object", required: ["name"], properties: { name: text, nick: text } };

let dir: string;
let up: Up;
const incipit = (args: readonly string[], stdin = "", env: Record<string, string> = { NATS_URL: up.url }) =>
  runIncipit(args, { env, stdin });
async function done(args: readonly string[], stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await incipit(args, stdin);
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return stdout;
}
async function files(all: Record<string, string | object>): Promise<void> {
  for (const [name, content] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
    await writeFile(path.join(dir, name), typeof content === "string" ? content : JSON.stringify(content));
  }
}
const at = (name: string) => path.join(dir, name);

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-contracts-"));
  await files({
    "triage.contract.json": first,
    "wider.contract.json": { ...first, required: [] },
    "narrow.contract.json": { ...first, properties: { name: text } },
    "prompts/triage.contract.json": first,
    "prompts/good.md": "---\ncontract: triage\n---\nHi {{name}}{{> _partials/nick}}\n",
    "prompts/bad.md": "---\ncontract: triage\n---\nHi {{nmae}}\n",
    "prompts/free.md": "{{anything}}",
    "prompts/_partials/nick.md": "{{#if nick}}, {{nick}}{{/if}}",
  });
  up = await startUp(["--port", "0", "--data", path.join(dir, "data")]);
});
afterAll(async () => {
  up.signal("SIGTERM");
  await up.exited;
  await rm(dir, { recursive: true, force: true });
});

describe("incipit check, without a server", () => {
  const offline = (args: readonly string[]) =>
    incipit(["check", ...args], "", { NATS_URL: "nats://127.0.0.1:9" });

  it("shows each finding of a folder with its line, a hint and a context, and exits 1", async () => {
    const { code, stdout, stderr } = await offline([at("prompts")]);
    expect(code).toBe(1);
    expect(stdout).toBe("4 files checked, 1 finding, 1 without a contract\n");
    expect(stderr).toBe(
      `${at("prompts/bad.md")}:4:6 \`nmae\` is not in the contract: there is no field \`nmae\` here.\n` +
        "  4 | Hi {{nmae}}\n    |      ^^^^\n  hint: Did you mean `name`?\n" +
        '  with {"name":""}\n  field_missing: `nmae` is not in the context: there is no `nmae`. Did you mean `name`?\n',
    );
  });

  it("checks single files, with the partials beside them, against a contract's file", async () => {
    expect(await offline([at("prompts/good.md")])).toMatchObject({
      code: 0,
      stdout: "1 file checked, 0 findings\n",
    });
    const { code, stdout } = await offline([
      at("prompts/free.md"),
      "--contract",
      at("triage.contract.json"),
      "--json",
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      findings: 1,
      files: [
        {
          key: "free",
          variables: ["anything"],
          findings: [{ code: "unknown_field", witness: { context: { name: "" } } }],
        },
      ],
    });
  });

  it("says what cannot be read, and what is no contract", async () => {
    expect(await offline([at("nothing.md")])).toMatchObject({ code: 2 });
    await files({ "odd.contract.json": { type: "object", properties: { if: text } } });
    const { code, stderr } = await offline([at("prompts/good.md"), "--contract", at("odd.contract.json")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/if: has a name that means something else/);
    expect(await offline([at("prompts/good.md"), "--contract", "triage"])).toMatchObject({ code: 3 });
  });
});

describe("incipit contract", () => {
  it("publishes, shows, lists, and refuses what narrows", async () => {
    expect(await done(["contract", "publish", at("triage.contract.json"), "--note", "first"])).toMatch(
      /^triage, version 1, published, seq \d+\n$/,
    );
    expect(await done(["contract", "publish", at("triage.contract.json")])).toMatch(/is published already/);
    expect(JSON.parse(await done(["contract", "show", "triage", "--document"]))).toEqual(first);
    expect(await done(["contract", "show", "triage"])).toMatch(/version\s+1\nnote\s+first/);
    expect(await done(["contract", "list"])).toMatch(/triage\s+1\s/);
    const { code, stderr } = await incipit([
      "contract",
      "publish",
      at("narrow.contract.json"),
      "--name",
      "triage",
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/contract_narrowed: .*nick is removed/)]);
  });

  it("refuses as JSON where JSON is asked for, with a server and without one", async () => {
    await files({ "odd.contract.json": { type: "object", properties: { if: text } }, "bad.md": "{{#if a}}" });
    for (const args of [
      ["reference", at("odd.contract.json")],
      ["types", at("odd.contract.json")],
      ["infer", at("bad.md")],
    ]) {
      const { code, stdout, stderr } = await incipit(["contract", ...args, "--json"]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(JSON.parse(stderr)).toMatchObject({
        error: { message: expect.any(String) as unknown },
      });
    }
    const unnamed = await incipit(["contract", "types", at("a b.json")]);
    expect(unnamed.stderr).not.toContain("--name");
  });

  it("prints the reference and the types, of a file and of what is published", async () => {
    const reference = await done(["contract", "reference", "triage"]);
    expect(reference).toMatch(/^# triage, version 1\n/);
    expect(await done(["contract", "types", "triage"])).toBe(
      await done(["contract", "types", at("triage.contract.json")]),
    );
    expect(await done(["contract", "types", "triage"])).toContain("nick?: string;");
  });

  it("proposes a contract for a template", async () => {
    expect(JSON.parse(await done(["contract", "infer", at("prompts/good.md")]))).toMatchObject({
      required: ["name"],
      properties: { name: { type: "string" }, nick: { type: "string" } },
    });
  });
});

describe("a template with a contract", () => {
  it("is refused with the context that breaks it, stored once it cannot fail, and listed where a wider contract breaks it", async () => {
    const refused = await incipit(["add", "hello", "-", "--contract", "triage"], "Hi {{nick}}");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/may be absent[^]*hint: Guard it[^]*with \{"name":""\}[^]*render_failed/),
    ]);
    await done(["add", "hello", "-", "--contract", "triage", "--activate"], "Hi {{name}}");
    await files({ "context.json": { name: "Ada", env: "secret" } });
    expect(await done(["render", "hello", "--context", at("context.json")])).toBe("Hi Ada");
    expect(JSON.parse(await done(["contract", "infer", "hello"]))).toMatchObject({ required: ["name"] });
    const nobody = await incipit(["contract", "infer", "nobody", "--json"]);
    expect(JSON.parse(nobody.stderr)).toMatchObject({ error: { code: "key_not_found", key: "nobody" } });
    const more = '{"name":"Ada","nmae":"B"}';
    expect(await done(["render", "hello", "--context", "-"], more)).toBe("Hi Ada");
    const extra = await incipit(["render", "hello", "--context", "-", "--refuse-extra"], more);
    expect(extra).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("nmae") as unknown });
    const wrong = await incipit(["render", "hello", "--context", "-"], "{}");
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/bad_context: .*name: is missing/)]);
    const published = await done(["contract", "publish", at("wider.contract.json"), "--name", "triage"]);
    expect(published).toMatch(
      /version 2, published[^]*1 active template no longer passes[^]*hello@1 \(production\)\n\s+1:6 `name` may be absent/,
    );
  });
});
