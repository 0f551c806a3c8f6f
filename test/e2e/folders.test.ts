import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIncipit, startIncipit, startUp, type Up } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";

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
async function folder(name: string, files: Record<string, string>): Promise<string> {
  const at = path.join(dir, name);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(at, file)), { recursive: true });
    await writeFile(path.join(at, file), content);
  }
  return at;
}
const status = async () => JSON.parse(await done(["status", "--json"])) as { seq: number };
const namesIn = (at: string) => readdir(at).catch(() => []);

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-folders-"));
  up = await startUp(["--port", "0", "--data", path.join(dir, "data"), "--renderers", "1"]);
});
afterAll(async () => {
  up.signal("SIGTERM");
  await up.exited;
  await rm(dir, { recursive: true, force: true });
});

describe("an import", () => {
  it.each([
    ["a contract that does not exist", "---\ncontract: nope\n---\nx", "contract_not_found"],
    ["a kind that is not supported", "---\nkind: assembly\n---\n[]", "bad_request"],
    ["half of a surrogate pair in a tag", '---\ntags: ["\\ud800"]\n---\nx', "bad_request"],
    ["a body too large for the log", `---\nsyntax: plain\n---\n${"\u0001".repeat(200_000)}`, "too_large"],
    ["another kind of something live", "---\nkind: partial\n---\nx", "conflict"],
    [
      "a contract that does not exist, beside a new partial",
      "---\ncontract: nope\n---\n{{> good}}",
      "contract",
    ],
  ])("sends nothing beside a file with %s", async (name, text, said) => {
    await done(["add", "foreseen/bad", "-", "--activate"], "live");
    const at = await folder(`foreseen ${name}`, {
      "good.md": "---\nkind: partial\n---\nfine",
      "other.md": "{{> good}}",
      "foreseen/bad.md": text,
    });
    const before = await status();
    const { code, stdout, stderr } = await incipit(["import", at]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(said);
    expect(stderr).toContain("foreseen/bad.md");
    expect(stderr).toContain("1 file refused, nothing was sent.");
    expect((await status()).seq).toBe(before.seq);
  });

  it("sends nothing of a chain of partials that is too long", async () => {
    const names = Array.from({ length: 40 }, (_, n) => `_partials/chain/p${n}`);
    const at = await folder(
      "chain",
      Object.fromEntries(names.map((name, n) => [`${name}.md`, n === 0 ? "x" : `{{> ${names[n - 1]}}}`])),
    );
    const before = await status();
    expect((await incipit(["import", at])).stderr).toContain("7 files refused, nothing was sent.");
    expect((await status()).seq).toBe(before.seq);
  });
});

describe("an export", () => {
  it("writes through no link, and says what stands in the way of a folder", async () => {
    await done(["add", "placed/one", "-"], "one");
    const at = await folder("linked", {
      "placed.md": "mine",
      "victim.md": "precious",
      "out/kept.md": "kept",
    });
    const target = path.join(at, "target");
    await mkdir(path.join(target, "placed"), { recursive: true });
    await symlink("../../victim.md", path.join(target, "placed/one.md"));
    const args = ["export", target, "--force", "--prefix", "placed/"];
    const linked = await incipit(args);
    expect(linked).toMatchObject({ code: 2, stdout: "" });
    expect(linked.stderr).toMatch(
      /placed\/one\.md is a link; links are not followed; nothing was written\.\n$/,
    );
    expect(await readFile(path.join(at, "victim.md"), "utf8")).toBe("precious");

    await rm(path.join(target, "placed"), { recursive: true });
    await symlink("../out", path.join(target, "placed"));
    expect((await incipit(args)).stderr).toContain("placed is a link");
    await rm(path.join(target, "placed"));
    await writeFile(path.join(target, "placed"), "a file");
    const blocked = await incipit(args);
    expect(blocked.code).toBe(2);
    expect(blocked.stderr).toMatch(/placed is a file where a folder is needed; nothing was written\.\n$/);
    await rm(path.join(target, "placed"));
    expect(await done(args)).toContain("1 file written");
  });
});

describe("import and export", () => {
  it("can be killed in the middle and repeated", async () => {
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`killed/k${n}.md`, `text ${n}`]));
    const at = await folder("killed", files);
    const before = await status();
    const killed = startIncipit(["import", at], { NATS_URL: up.url, INCIPIT_ACTOR: "alice" });
    await eventually("some are stored", async () => (await status()).seq > before.seq);
    killed.signal("SIGKILL");
    await killed.exited;
    await done(["import", at]);
    expect((await status()).seq).toBe(before.seq + 400);

    const target = path.join(dir, "killed-export");
    const exporting = startIncipit(["export", target, "--prefix", "killed/"], { NATS_URL: up.url });
    await eventually("some are written", async () => (await namesIn(target)).length > 0);
    exporting.signal("SIGKILL");
    await exporting.exited;
    await done(["export", target, "--prefix", "killed/", "--force"]);
    expect(new Set(await namesIn(path.join(target, "killed")))).toEqual(
      new Set(Object.keys(files).map((file) => path.basename(file))),
    );
  });
});
