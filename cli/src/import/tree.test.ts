import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTemplateFolder } from "@incipit/files";
import { afterAll, expect, it } from "vitest";
import { openTree } from "./tree.ts";

const folder = mkdtempSync(join(tmpdir(), "incipit-tree-"));
afterAll(() => rmSync(folder, { recursive: true }));

// Only Linux has names that are any bytes.
it.skipIf(process.platform !== "linux")(
  "a file whose name is not UTF-8, and one whose front matter holds itself, are refused by name and the rest is read",
  async () => {
    writeFileSync(join(folder, "good.md"), "x");
    writeFileSync(join(folder, "cycle.md"), "---\nconfig: &a {x: [*a]}\n---\nx");
    writeFileSync(Buffer.from(`${folder}/caf\u00e9.md`, "latin1"), "x");
    const { files, refused } = await readTemplateFolder(openTree(folder));
    expect(files.map(({ path }) => path)).toEqual(["good.md"]);
    expect(refused.map(({ problem }) => problem.message)).toEqual([
      '"caf\ufffd.md" has a name that is not UTF-8.',
      expect.stringMatching(/^"cycle\.md":2:12: The anchor &a cannot be used/),
    ]);
  },
);
