import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTree } from "../import/tree.ts";
import { readTemplateFolder } from "@incipit/files";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findObstacle, findPath, removeUnfinished, writeBelow } from "./place.ts";

const UNFINISHED = ".incipit-00000000-0000-4000-8000-000000000000.tmp";
let top: string;
let root: string;
const read = (path: string) => readFileSync(join(top, path), "utf8");

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "incipit-place-"));
  root = join(top, "root");
  mkdirSync(root);
});
afterEach(() => rmSync(top, { recursive: true }));

it("writes a key over the file that holds it already, whatever its extension", async () => {
  mkdirSync(join(root, "a"));
  writeFileSync(join(root, "a", "b.hbs"), "x");
  writeFileSync(join(root, "c.txt"), "x");
  expect(await findPath(root, "a/b")).toBe("a/b.hbs");
  expect(await findPath(root, "c")).toBe("c.txt");
  expect(await findPath(root, "d/e")).toBe("d/e.md");
  expect(await findPath(root, "c.txt/x")).toBe("c.txt/x.md");
});

describe("writing a file below a folder", () => {
  it("makes the folders it needs, and leaves nothing but the file", async () => {
    await writeBelow(root, "a/b/c.md", "text");
    expect(read("root/a/b/c.md")).toBe("text");
    expect(readdirSync(join(root, "a/b"))).toEqual(["c.md"]);
  });

  it("replaces a file of the same name", async () => {
    await writeBelow(root, "c.md", "one");
    await writeBelow(root, "c.md", "two");
    expect(read("root/c.md")).toBe("two");
  });

  it("follows no link, to a file, to a folder or to nothing", async () => {
    writeFileSync(join(top, "victim.md"), "precious");
    mkdirSync(join(top, "outside"));
    symlinkSync("../victim.md", join(root, "linked.md"));
    symlinkSync("../outside", join(root, "folder"));
    symlinkSync("../nowhere.md", join(root, "dangling.md"));
    for (const [path, at] of [
      ["linked.md", "linked.md"],
      ["folder/x.md", "folder"],
      ["dangling.md", "dangling.md"],
    ] as const) {
      expect(await findObstacle(root, path)).toEqual({ path: at, why: "is a link; links are not followed" });
      await expect(writeBelow(root, path, "x")).rejects.toThrow(`${at} is a link`);
    }
    expect(read("victim.md")).toBe("precious");
    expect(readdirSync(join(top, "outside"))).toEqual([]);
    expect(existsSync(join(top, "nowhere.md"))).toBe(false);
  });

  it("says what stands in the way of a folder or of a file", async () => {
    writeFileSync(join(root, "a"), "");
    mkdirSync(join(root, "b.md"));
    expect(await findObstacle(root, "a/x.md")).toEqual({
      path: "a",
      why: "is a file where a folder is needed",
    });
    expect(await findObstacle(root, "b.md")).toEqual({
      path: "b.md",
      why: "is a folder where a file is needed",
    });
    expect(await findObstacle(root, "c/d.md")).toBeNull();
  });
});

describe("what a killed export left", () => {
  it("is passed over by import, and removed by the next export", async () => {
    writeFileSync(join(root, UNFINISHED), "ha");
    writeFileSync(join(root, "a.md"), "x");
    const { files, refused } = await readTemplateFolder(openTree(root));
    expect([files.map(({ path }) => path), refused]).toEqual([["a.md"], []]);
    await removeUnfinished(root);
    expect(readdirSync(root)).toEqual(["a.md"]);
    await removeUnfinished(join(root, "not-there"));
  });
});
