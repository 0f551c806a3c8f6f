import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodePrimitives } from "@incipit/bus";
import { afterAll, expect, test } from "vitest";
import { openFolder } from "./disk.ts";

const folder = mkdtempSync(join(tmpdir(), "incipit-disk-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(process.platform === "win32")(
  "a file is read, and no link and no pipe, whatever it was when it was listed",
  async () => {
    writeFileSync(join(folder, "file.md"), "text");
    symlinkSync(join(folder, "file.md"), join(folder, "link.md"));
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    const tree = openFolder(folder, nodePrimitives);
    expect(await tree.readText("file.md")).toBe("text");
    await expect(tree.readText("link.md")).rejects.toMatchObject({ code: "ELOOP" });
    await expect(tree.readText("pipe.md")).rejects.toThrow("no regular file");
  },
);
