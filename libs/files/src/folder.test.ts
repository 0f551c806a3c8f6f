import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readTemplateFolder } from "./folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incipit-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = async (path: string, content: string | Uint8Array) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
};

test("templates come in order of their paths, whatever is below and beside them", async () => {
  await write("b.md", "B");
  await write("a/z.txt", "Z");
  await write("_partials/p.hbs", "P");
  await write("notes.json", "{}");
  await write(".hidden.md", "no");
  const { files, refused } = await readTemplateFolder(folder);
  expect(files.map(({ path, file }) => [path, file.key, file.body])).toEqual([
    ["_partials/p.hbs", "_partials/p", "P"],
    ["a/z.txt", "a/z", "Z"],
    ["b.md", "b", "B"],
  ]);
  expect(refused).toEqual([]);
});

test("links, files that are not UTF-8 and names that are no key are refused by name", async () => {
  await write("good.md", "x");
  await write("latin.md", Uint8Array.from([0x63, 0xe9]));
  await write("two words.md", "x");
  await symlink("/etc/hostname", join(folder, "link.md"));
  await symlink("/etc", join(folder, "linked"));
  const { files, refused } = await readTemplateFolder(folder);
  expect(files.map(({ path }) => path)).toEqual(["good.md"]);
  expect(refused.map(({ path, problem }) => [path, problem.code])).toEqual([
    ["latin.md", "bad_request"],
    ["link.md", "bad_request"],
    ["linked", "bad_request"],
    ["two words.md", "bad_key"],
  ]);
});

test("a file too large to hold a template is refused", async () => {
  await write("huge.md", "x".repeat(1_000_000));
  const { refused } = await readTemplateFolder(folder);
  expect(refused.map(({ problem }) => problem.code)).toEqual(["too_large"]);
});
