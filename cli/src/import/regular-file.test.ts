import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTemplateFolder } from "@incipit/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRegularFile } from "./regular-file.ts";
import { openTree } from "./tree.ts";

const folder = mkdtempSync(join(tmpdir(), "incipit-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform === "win32")("reading a file", () => {
  beforeAll(() => {
    writeFileSync(join(folder, "file.md"), "text");
    symlinkSync(join(folder, "file.md"), join(folder, "link.md"));
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
  });

  it("gives the bytes of a file", async () => {
    expect(new TextDecoder().decode(await readRegularFile(join(folder, "file.md")))).toBe("text");
  });

  it("follows no link, whatever it was when it was listed", async () => {
    await expect(readRegularFile(join(folder, "link.md"))).rejects.toMatchObject({ code: "ELOOP" });
  });

  it("waits for no writer of a pipe, and reads no device", async () => {
    await expect(readRegularFile(join(folder, "pipe.md"))).rejects.toThrow("no regular file");
    await expect(readRegularFile("/dev/zero")).rejects.toThrow("no regular file");
  });

  it("of a folder, refuses links and pipes by name and reads the rest", async () => {
    const { files, refused } = await readTemplateFolder(openTree(folder));
    expect(files.map(({ path }) => path)).toEqual(["file.md"]);
    expect(refused.map(({ path }) => path)).toEqual(["link.md", "pipe.md"]);
  });

  it("of a folder, refuses by name a file that became a link after it was listed", async () => {
    const tree = openTree(folder);
    const { files, refused } = await readTemplateFolder({
      ...tree,
      entries: async (path) =>
        (await tree.entries(path)).map((entry) => ({ ...entry, type: "file", bytes: 1 })),
    });
    expect(files.map(({ path }) => path)).toEqual(["file.md"]);
    expect(refused.map(({ path }) => path)).toEqual(["link.md", "pipe.md"]);
  });
});
