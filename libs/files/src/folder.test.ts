import { expect, test } from "vitest";
import { readTemplateFolder, type FileTree, type TreeEntry } from "./folder.ts";

/** A tree in memory: path to text, null for a file that is not UTF-8, or a kind of entry. */
function treeOf(content: Record<string, string | null | { type: "link" | "other" }>): FileTree {
  return {
    entries: async (folder) => {
      const names = new Map<string, TreeEntry>();
      for (const [path, value] of Object.entries(content)) {
        if (folder !== "" && !path.startsWith(`${folder}/`)) continue;
        const [name = "", ...rest] = path.slice(folder === "" ? 0 : folder.length + 1).split("/");
        const type =
          rest.length > 0 ? "folder" : typeof value === "object" && value !== null ? value.type : "file";
        names.set(name, { name, type, bytes: typeof value === "string" ? value.length : 0 });
      }
      return [...names.values()];
    },
    readText: async (path) => {
      const value = content[path];
      return typeof value === "string" ? value : null;
    },
  };
}

test("templates come in order of their paths, whatever is below and beside them", async () => {
  const { files, refused } = await readTemplateFolder(
    treeOf({
      "b.md": "B",
      "a/z.txt": "Z",
      "_partials/p.hbs": "P",
      "notes.json": "{}",
      ".hidden.md": "no",
      ".git/x.md": "no",
    }),
  );
  expect(files.map(({ path, file }) => [path, file.key, file.body])).toEqual([
    ["_partials/p.hbs", "_partials/p", "P"],
    ["a/z.txt", "a/z", "Z"],
    ["b.md", "b", "B"],
  ]);
  expect(refused).toEqual([]);
});

test("links, files that are not UTF-8 and names that are no key are refused by name", async () => {
  const { files, refused } = await readTemplateFolder(
    treeOf({
      "good.md": "x",
      "latin.md": null,
      "two words.md": "x",
      "link.md": { type: "link" },
      linked: { type: "link" },
      "pipe.md": { type: "other" },
    }),
  );
  expect(files.map(({ path }) => path)).toEqual(["good.md"]);
  expect(refused.map(({ path, problem }) => [path, problem.code])).toEqual([
    ["latin.md", "bad_request"],
    ["link.md", "bad_request"],
    ["linked", "bad_request"],
    ["pipe.md", "bad_request"],
    ["two words.md", "bad_key"],
  ]);
});

test("a file too large to hold a template is refused without being read", async () => {
  const { refused } = await readTemplateFolder(treeOf({ "huge.md": "x".repeat(1_000_000) }));
  expect(refused.map(({ problem }) => problem.code)).toEqual(["too_large"]);
});

test("a file that cannot be read is refused by name, and the others are read", async () => {
  const tree = treeOf({ "a.md": "A", "b.md": "B" });
  const { files, refused } = await readTemplateFolder({
    ...tree,
    readText: (path) => (path === "a.md" ? Promise.reject(new Error("no permission")) : tree.readText(path)),
  });
  expect(files.map(({ path }) => path)).toEqual(["b.md"]);
  expect(refused).toMatchObject([
    { path: "a.md", problem: { message: '"a.md" cannot be read: no permission.' } },
  ]);
});

test("a folder below that cannot be read, and a name that is no text, are refused by name, and the rest is read", async () => {
  const tree = treeOf({ "a.md": "A", "closed/b.md": "B" });
  const { files, refused } = await readTemplateFolder({
    ...tree,
    entries: async (path) => {
      if (path === "closed") throw new Error("no permission");
      const odd = {
        name: "caf\ufffd.md",
        type: "file",
        bytes: 0,
        fault: "has a name that is not UTF-8.",
      } as const;
      return [odd, ...(await tree.entries(path))];
    },
  });
  expect(files.map(({ path }) => path)).toEqual(["a.md"]);
  expect(refused.map(({ problem }) => problem.message)).toEqual([
    '"caf\ufffd.md" has a name that is not UTF-8.',
    '"closed" cannot be read: no permission.',
  ]);
});
