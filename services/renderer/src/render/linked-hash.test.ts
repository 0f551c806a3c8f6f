import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { linkedHash, type LinkedPart } from "./linked-hash.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const part = (key: string, version: number, change: Partial<LinkedPart> = {}): LinkedPart => ({
  key,
  version,
  syntax: "handlebars",
  hash: sha256(`${key} ${version}`),
  ...change,
});
const root = part("a", 1);
const hash = (...partials: LinkedPart[]) => linkedHash(sha256, root, partials);

describe("the hash of a linked template", () => {
  it("is over the documented lines", () => {
    const text = `incipit.linked.v1\na@1 handlebars ${root.hash}\np@2 plain ${sha256("p 2")}\n`;
    expect(hash(part("p", 2, { syntax: "plain" }))).toBe(sha256(text));
  });

  it("does not depend on the order of what is included", () => {
    expect(hash(part("p", 2), part("q", 3))).toBe(hash(part("q", 3), part("p", 2)));
  });

  it("changes with any key, version, syntax or body that takes part", () => {
    const hashes = [
      hash(),
      hash(part("p", 2)),
      hash(part("p", 3)),
      hash(part("q", 2)),
      hash(part("p", 2, { hash: sha256("other") })),
      hash(part("p", 2, { syntax: "slots" })),
      linkedHash(sha256, part("a", 2, { hash: root.hash }), []),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
