import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import mutations from "./checker-mutations.json" with { type: "json" };

const checker = new URL("../libs/templates/src/check/", import.meta.url);

// The script that tries them takes half an hour; that each still says where it is made is seen here.
it.each(mutations)("the mutation of $name is made at one place of $file", async ({ file, from, to }) => {
  const text = await readFile(new URL(file, checker), "utf8");
  expect(text.split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});
