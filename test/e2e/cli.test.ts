import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIncipit, startIncipit, startUp, type Up } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const quickstart = path.join(root, "examples/quickstart");
const context = path.join(quickstart, "context.json");

let dir: string;
let up: Up;
const incipit = (args: readonly string[], stdin = "") =>
  runIncipit(args, { env: { NATS_URL: up.url }, stdin });
/** Runs a command line that must end 0 and gives its stdout. */
async function done(args: readonly string[], stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await incipit(args, stdin);
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return stdout;
}
const json = async (args: readonly string[]): Promise<unknown> => JSON.parse(await done([...args, "--json"]));
async function folder(name: string, files: Record<string, string | Uint8Array>): Promise<string> {
  const at = path.join(dir, name);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(at, file)), { recursive: true });
    await writeFile(path.join(at, file), content);
  }
  return at;
}
const status = async () => (await json(["status"])) as { seq: number; rejected: { count: number } };

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-cli-"));
  up = await startUp(["--port", "0", "--data", path.join(dir, "data"), "--renderers", "2"]);
});
afterAll(async () => {
  up.signal("SIGTERM");
  await up.exited;
  await rm(dir, { recursive: true, force: true });
});

describe("a version", () => {
  it("is added, shown byte for byte, activated, rendered, rolled back and taken off live", async () => {
    const body = "Hello {{name}},\r\n\tgrüße 🙂\n";
    expect(await done(["add", "first/hello", "-", "--note", "one", "--tag", "x"], body)).toMatch(
      /^first\/hello@1 stored, seq \d+\n$/,
    );
    expect(await done(["show", "first/hello@1", "--source"])).toBe(body);
    expect((await incipit(["render", "first/hello"])).stderr).toContain("not_active");

    expect(await done(["activate", "first/hello", "1"])).toContain(
      "activated under production (was: nothing)",
    );
    expect((await incipit(["add", "first/hello", "-"])).stderr).toContain("The body is blank");
    const added = JSON.parse(
      await done(["add", "first/hello", "-", "--activate", "--json"], "Bye {{name}}"),
    ) as {
      seq: number;
      version: number;
    };
    expect(added.version).toBe(2);
    const render = ["render", "first/hello", "--context", "-"];
    expect(await done([...render, "--min-seq", String(added.seq)], '{"name":"Bo"}')).toBe("Bye Bo");
    expect(await done(["render", "first/hello@1", "--context", "-"], '{"name":"Bo"}')).toBe(
      "Hello Bo,\r\n\tgrüße 🙂\n",
    );

    const back = (await json(["activate", "first/hello", "1", "--note", "back"])) as { seq: number };
    expect(await done([...render, "--min-seq", String(back.seq)], '{"name":"Bo"}')).toContain("Hello Bo");
    expect(await done(["versions", "first/hello"])).toMatch(/^VERSION .*\n +2 .*\n +1 +production .*one\n$/);
    expect(await done(["history", "first/hello"])).toMatch(/production\s+2\s+1\s+back\n/);
    expect(await done(["deactivate", "first/hello"])).toContain("nothing answers now");
    expect((await incipit([...render], "{}")).code).toBe(1);
  });

  it("is refused with line, column, source line, caret and hint, and nothing is stored", async () => {
    const before = await status();
    const { code, stdout, stderr } = await incipit(["add", "first/broken", "-"], "Hi\n  {{shout name}}\n");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("first/broken:2:5 ");
    expect(stderr).toContain("  2 |   {{shout name}}\n    |     ^^^^^\n");
    expect((await status()).seq).toBe(before.seq);
  });

  it("is stored once, however often a command with one id is sent", async () => {
    const add = ["add", "first/once", "-", "--command-id", "run-7", "--json"];
    const first = await done(add, "x");
    expect(JSON.parse(await done(add, "x"))).toEqual({ ...JSON.parse(first), instance: expect.any(String) });
    expect((await incipit(add, "y")).stderr).toContain("command_reused");
  });

  it("is not stored over another than the sender has seen", async () => {
    expect((await incipit(["add", "first/once", "-", "--expect-newest", "none"], "z")).stderr).toContain(
      "conflict",
    );
    await done(["add", "first/once", "-", "--expect-newest", "1", "--dry-run"], "z");
    expect(await json(["versions", "first/once"])).toMatchObject({ total: 1 });
  });
});

describe("a command line", () => {
  it.each([
    ["a malformed key", ["show", "a..b"], 1, "bad_key"],
    ["a missing key", ["show", "nothing/here"], 1, "key_not_found"],
    ["a version that is no number", ["activate", "first/once", "two"], 2, "whole number"],
    ["an unknown command", ["shwo", "a"], 2, "Did you mean show?"],
    ["a server that is not there", ["list", "--server", "nats://127.0.0.1:1"], 3, "Cannot connect"],
    ["a context that is no object", ["render", "first/once", "--context", "-"], 2, "is not JSON"],
  ])("with %s says so and ends with its code", async (_, args, code, said) => {
    const outcome = await incipit(args);
    expect(outcome).toMatchObject({ code, stdout: "" });
    expect(outcome.stderr).toContain(said);
  });
});

describe("import and export", () => {
  it("bring a folder in, partials first, and render every prompt of it", async () => {
    const before = await status();
    const { code, stdout, stderr } = await incipit(["import", quickstart, "--activate", "--dry-run"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "ignored (not a template): context.json\n" });
    expect(stdout).toContain("would be created: support/triage\n");
    expect(stdout).toContain("9 would be created, 0 skipped (unchanged), 0 refused; nothing was stored\n");
    expect(stdout).toContain("5 of them checked here alone");
    expect((await status()).seq).toBe(before.seq);
    expect(await done(["import", quickstart, "--activate"])).toMatch(
      /^9 created, 0 skipped .*, 0 refused, seq \d+\n$/,
    );
    const { items } = (await json(["list"])) as {
      items: { key: string; kind: string; active: number | null }[];
    };
    const prompts = items.filter(
      ({ key, kind }) => kind === "prompt" && /^(support|engineering|research)\//.test(key),
    );
    expect(prompts).toHaveLength(5);
    const { seq } = await status();
    for (const { key, active } of prompts) {
      expect(active).toBe(1);
      const text = await done(["render", key, "--context", context, "--min-seq", String(seq)]);
      expect(text).toContain("\n## ");
      expect(text).not.toContain("{{");
    }
  });

  it("skip what is unchanged, also after a rollback", async () => {
    await done(["import", quickstart, "--activate"]);
    const before = await status();
    expect(await done(["import", quickstart, "--activate"])).toMatch(/^0 created, 9 skipped/);
    const changed = path.join(dir, "changed");
    await cp(quickstart, changed, { recursive: true });
    await writeFile(path.join(changed, "research/brief.md"), "Other.");
    expect(await json(["import", changed, "--activate", "--dry-run"])).toMatchObject({
      dryRun: true,
      created: ["research/brief"],
      activated: [],
      refused: [],
      unasked: [],
    });
    expect(await done(["import", changed, "--activate"])).toMatch(/^1 created, 8 skipped/);
    await done(["activate", "research/brief", "1"]);
    const after = await status();
    expect(after.seq).toBe(before.seq + 3);
    expect(await done(["import", quickstart, "--activate"])).toMatch(/^0 created, 9 skipped/);
    expect(await done(["import", changed, "--activate"])).toMatch(
      /^0 created, 8 skipped.*, 1 activated only/,
    );
    await done(["activate", "research/brief", "1"]);
  });

  it("export what import brings in again without changing anything", async () => {
    const exported = path.join(dir, "exported");
    await done(["export", exported]);
    for (const file of ["support/triage.md", "_partials/tone.md"]) {
      const text = await readFile(path.join(exported, file), "utf8");
      const source = await done(["show", file.replace(".md", ""), "--source"]);
      expect(text.endsWith(source)).toBe(true);
    }
    const before = await status();
    expect(await done(["import", exported])).toMatch(/^0 created, \d+ skipped .*, 0 refused/);
    expect((await status()).seq).toBe(before.seq);
    const again = await incipit(["export", exported]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("is not empty");
    await done(["export", exported, "--force"]);
  });

  it("foresee what the registry alone can refuse, name all of it, and store nothing", async () => {
    const at = await folder("foreseen", {
      "foreseen/note.md": "---\ncontract: none\n---\nx",
      "foreseen/whole.md": "---\nkind: assembly\n---\nx",
      "foreseen/fine.md": "y",
    });
    const before = await status();
    const { code, stdout, stderr } = await incipit(["import", at, "--dry-run"]);
    expect(code).toBe(1);
    expect(stdout).toContain("1 would be created, 0 skipped (unchanged), 2 refused; nothing was stored\n");
    for (const named of ["foreseen/note.md", "foreseen/whole.md"]) expect(stderr).toContain(named);
    expect((await status()).seq).toBe(before.seq);
  });

  it("name every bad file, and send nothing", async () => {
    const at = await folder("bad", {
      "good.md": "fine",
      "broken.md": "{{#if x}}",
      "lost.md": "{{> gone/away}}",
      "Twin.md": "x",
      "twin.md": "x",
      "a b.md": "x",
      "latin.txt": new Uint8Array([0x67, 0x72, 0xfc, 0xdf]),
      "huge.md": "x".repeat(1024 * 1024),
      "notes.doc": "x",
    });
    await symlink("/etc/hostname", path.join(at, "link.md"));
    const before = await status();
    const { code, stdout, stderr } = await incipit(["import", at]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const name of ["broken.md:1:1", "lost.md:1:", "twin", "a b.md", "latin.txt", "huge.md", "link.md"])
      expect(stderr).toContain(name);
    expect(stderr).toContain("ignored (not a template): notes.doc");
    expect(stderr).toContain("7 files refused, nothing was sent.");
    expect((await status()).seq).toBe(before.seq);
  });
});

describe("the log", () => {
  it("is printed and verified from the first message to the last", async () => {
    const text = await done(["log"]);
    const { seq } = await status();
    const lines = text.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ +1 {2}\S+Z {2}alice {2}TemplateAdded +first\/hello@1 [0-9a-f]{12} {2}"one"$/);
    expect(lines).toHaveLength(seq + 1);
    expect(lines.at(-1)).toMatch(new RegExp(`^chain unbroken: ${seq} events, head [0-9a-f]{64}$`));
    const tail = (await done(["log", "--from", String(seq), "--json"])).trimEnd().split("\n");
    expect(tail.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { seq },
      { events: seq, unbroken: true },
    ]);
  });
});

describe("log --follow", () => {
  it("prints what is written from now on, and the verdict on Ctrl-C", async () => {
    const { seq } = await status();
    const follower = startIncipit(["log", "--follow", "--from", String(seq + 1)], { NATS_URL: up.url });
    await done(["add", "first/followed", "-"], "x");
    await eventually("the new version is printed", () => follower.stdout().includes("first/followed@1"));
    follower.signal("SIGINT");
    expect(await follower.exited).toBe(0);
    expect(follower.stdout()).toMatch(
      /^[^\n]+first\/followed@1[^\n]+\nchain unbroken: \d+ events?, head \S+\n$/,
    );
  });
});
