import { parseTemplate } from "@incipit/templates";
import { describe, expect, it } from "vitest";
import { linkBodies } from "./link.ts";
import { versionId } from "./render/version.ts";
import { createTemplateCache, linkedSize, type Body, type TemplateCache } from "./template-cache.ts";

const sha256 = () => "0".repeat(64);
const body = (key: string, text: string, version = 1): Body => ({
  ref: { key, version, seq: null },
  kind: "prompt",
  syntax: "handlebars",
  hash: sha256(),
  contract: null,
  parsed: parseTemplate(text, "handlebars"),
});
const big = (key: string) => body(key, "x".repeat(5_000));
const linked = (root: Body, ...partials: Body[]): Parameters<TemplateCache["putLinked"]>[0] => {
  const result = linkBodies(root, partials, sha256);
  if (!result.ok) throw new Error(result.problem.message);
  return {
    id: root.ref.key,
    members: [root, ...partials].map(({ ref }) => versionId(ref)),
    ...result.value,
    check: null,
    size: linkedSize([root, ...partials]),
  };
};

describe("the cache of templates", () => {
  it("stays within its bytes and lets the least recently used go first", () => {
    const cache = createTemplateCache(50_000);
    for (const key of ["a", "b", "c", "d"]) cache.putBody(big(key));
    cache.body(big("a").ref);
    for (const key of ["e", "f"]) cache.putBody(big(key));
    const kept = ["a", "b", "c", "d", "e", "f"].filter((key) => cache.body(big(key).ref) !== undefined);
    expect(kept).toContain("a");
    expect(kept).toContain("f");
    expect(kept).not.toContain("b");
    expect(cache.stats().bytes).toBeLessThanOrEqual(50_000);
  });

  it("does not keep what is larger than itself, nor anything linked from it", () => {
    const cache = createTemplateCache(1_000);
    cache.putBody(big("a"));
    cache.putLinked(linked(big("a")));
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });

  it("lets a linked template go with the first of its members", () => {
    const cache = createTemplateCache(60_000);
    const root = body("a", "{{> p}}");
    const partial = body("p", "hello");
    cache.putBody(root);
    cache.putBody(partial);
    cache.putLinked(linked(root, partial));
    expect(cache.linked("a")?.members).toEqual(["a@1", "p@1"]);
    for (let n = 0; n < 20; n++) {
      cache.putBody(big(`filler${n}`));
      cache.body(root.ref);
      cache.linked("a");
    }
    expect(cache.body(partial.ref)).toBeUndefined();
    expect(cache.linked("a")).toBeUndefined();
    expect(cache.body(root.ref)).toBeDefined();
  });

  it("counts what is put twice once", () => {
    const cache = createTemplateCache(60_000);
    const root = body("a", "hi");
    cache.putBody(root);
    cache.putLinked(linked(root));
    const before = cache.stats();
    cache.putBody(root);
    cache.putLinked(linked(root));
    expect(cache.stats()).toEqual(before);
    expect(cache.linked("a")).toBeDefined();
  });

  it("counts a partial once, however many templates include it", () => {
    const cache = createTemplateCache(1 << 20);
    const partial = body("p", "word {{x}} ".repeat(1_000));
    cache.putBody(partial);
    const alone = cache.stats().bytes;
    for (let n = 0; n < 100; n++) {
      const root = body(`a${n}`, "{{> p}}");
      cache.putBody(root);
      cache.putLinked(linked(root, partial));
    }
    expect(cache.stats()).toMatchObject({ entries: 201 });
    expect(cache.stats().bytes).toBeLessThan(2 * alone);
  });

  it("counts every include of a linked template", () => {
    const [few, many] = [body("a", "{{> p}}"), body("a", "{{> p}}".repeat(10_000))];
    expect(linkedSize([many]) - linkedSize([few])).toBe(8 * 9_999);
  });

  it("tells seeds of one key apart by their position", () => {
    const cache = createTemplateCache(60_000);
    const seed = { ...body("a", "one", 0), ref: { key: "a", version: 0, seq: 3 } };
    cache.putBody(seed);
    expect(cache.body({ key: "a", version: 0, seq: 3 })).toBe(seed);
    expect(cache.body({ key: "a", version: 0, seq: 9 })).toBeUndefined();
  });
});
