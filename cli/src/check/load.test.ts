import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findContracts } from "./contract-files.ts";
import { loadFile, loadFolder } from "./load.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "incipit-check-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function files(all: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(all)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
}

async function load(name: string) {
  const loaded = await loadFile(join(root, name));
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded;
}

const TOO_LARGE = new Uint8Array(1 << 20);
const NOT_UTF8 = Uint8Array.of(0xff);

describe("loading one file", () => {
  it("reads what it includes, directly and through others, and nothing beside", async () => {
    await files({
      "a.md": "{{> _partials/p}}",
      "_partials/p.hbs": "{{> _partials/deep/q}}{{> _partials/p}}{{> a}}",
      "_partials/deep/q.txt": "q",
      "_partials/other.md": "other",
      "large.md": TOO_LARGE,
      "bytes.md": NOT_UTF8,
      "node_modules/x/y.md": "y",
    });
    const { library } = await load("a.md");
    expect([...library.files.keys()]).toEqual(["a", "_partials/p", "_partials/deep/q"]);
    expect(library.unread.size).toBe(0);
  });

  it("tells at the include why a partial cannot be read, and alike where the folder is read whole", async () => {
    await files({
      "large.md": "{{> _partials/large}}",
      "bytes.md": "{{> _partials/bytes}}",
      "linked.md": "{{> _partials/linked}}",
      "_partials/large.md": TOO_LARGE,
      "_partials/bytes.md": NOT_UTF8,
    });
    await symlink(join(root, "large.md"), join(root, "_partials/linked.md"));
    const folder = await loadFolder(root);
    for (const [name, said] of [
      ["large", /has 1048576 bytes, the limit is/],
      ["bytes", /is not UTF-8/],
      ["linked", /is a link; links are not followed/],
    ] as const) {
      const { link, library } = await load(`${name}.md`);
      expect(link()).toMatchObject({
        problem: {
          findings: [{ code: "bad_partial", line: 1, message: expect.stringMatching(said) as string }],
        },
      });
      expect(folder.unread.get(`_partials/${name}`)).toEqual(library.unread.get(`_partials/${name}`));
    }
  });

  it("leaves the folder by no name of a partial, and follows no link to another", async () => {
    await files({ "in/a.md": "{{> ../out/p}}", "in/b.md": "{{> _partials/p}}", "out/p.md": "p" });
    await symlink(join(root, "out"), join(root, "in/_partials"));
    expect([...(await load("in/a.md")).library.files.keys()]).toEqual(["a"]);
    const { library } = await load("in/b.md");
    expect([...library.files.keys()]).toEqual(["b"]);
    expect(library.unread.get("_partials/p")?.message).toMatch(/is a link/);
  });
});

describe("finding contracts in a folder", () => {
  it("gives of each name the file that is least deep, and reads no other", async () => {
    await files({
      "x/y/c.contract.json": "deep",
      "z/c.contract.json": "higher",
      "x/d.contract.json": NOT_UTF8,
      "e.contract.json": "not asked for",
      ".hidden/f.contract.json": "hidden",
    });
    const found = await findContracts(root, ["c", "d", "f"]);
    expect(found.get("c")).toEqual({ ok: true, value: { path: "z/c.contract.json", text: "higher" } });
    expect(found.get("d")).toMatchObject({ problem: { code: "bad_request" } });
    expect([...found.keys()].toSorted()).toEqual(["c", "d"]);
  });

  it("gives up after so many names, and says so", async () => {
    await files({ "a.md": "", "b.md": "", "x/c.contract.json": "{}" });
    expect((await findContracts(root, ["c"], 4)).get("c")).toMatchObject({ ok: true });
    expect((await findContracts(root, ["c"], 3)).get("c")).toMatchObject({
      problem: { code: "contract_not_found", message: expect.stringMatching(/first 3 names/) as string },
    });
  });
});
