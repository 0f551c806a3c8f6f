import { unwrap } from "@incipit/client";
import { DEFAULT_SETTINGS, LIMITS, type Kind } from "@incipit/schema";
import { parseTemplate } from "@incipit/templates";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planImport, readBodies, type ImportFile } from "./plan.ts";

const file = (key: string, body: string, path = `${key}.md`): ImportFile => ({
  path,
  file: { key, body, settings: { ...DEFAULT_SETTINGS, kind: "partial" } },
});
/** Plans an import into a registry that holds these keys, as partials with these bodies. */
const plan = (files: readonly ImportFile[], existing: Record<string, string> = {}, kind: Kind = "partial") =>
  planImport(
    files,
    readBodies(files),
    Object.keys(existing).map((key) => ({ key, kind })),
    new Map(
      Object.entries(existing).map(([key, body]) => [
        key,
        { key, version: 1, parsed: unwrap(parseTemplate(body, "handlebars")) },
      ]),
    ),
  );
const keysOf = ({ waves }: ReturnType<typeof plan>) => waves.map((wave) => wave.map(({ file }) => file.key));
const refusalsOf = ({ refused }: ReturnType<typeof plan>) =>
  refused.map(({ path, problem }) => [path, problem.code]);

describe("planImport", () => {
  it("puts partials before their users", () => {
    const result = plan([file("a", "{{> b}}{{> c}}"), file("b", "{{> c}}"), file("c", "x"), file("d", "x")]);
    expect(keysOf(result)).toEqual([["c", "d"], ["b"], ["a"]]);
    expect(result.refused).toEqual([]);
  });

  it("takes partials from the registry where the folder has none", () => {
    expect(refusalsOf(plan([file("a", "{{> p/q}}")], { "p/q": "x" }))).toEqual([]);
    expect(refusalsOf(plan([file("a", "{{> p/q}}")]))).toEqual([["a.md", "check_failed"]]);
  });

  it("says where a missing partial is wanted", () => {
    const [refusal] = plan([file("a", "x\n  {{> p/q}}")]).refused;
    expect(refusal?.problem).toMatchObject({
      key: "a",
      line: 2,
      findings: [{ code: "unknown_partial", line: 2 }],
    });
  });

  it("refuses to include what is no partial, wherever it stands", () => {
    const prompt = file("b", "x");
    prompt.file.settings.kind = "prompt";
    const wrong = { problem: { findings: [{ code: "not_a_partial" }] } };
    expect(plan([file("a", "{{> b}}"), prompt]).refused).toMatchObject([wrong]);
    expect(plan([file("a", "{{> b}}")], { b: "x" }, "prompt").refused).toMatchObject([wrong]);
  });

  it("refuses a blank body", () => {
    expect(plan([file("a", " \n")]).refused).toMatchObject([
      { problem: { findings: [{ code: "empty_body" }] } },
    ]);
  });

  it("names every file with a fault, in order", () => {
    const result = plan([file("b", "{{#if}}"), file("a", "{{"), file("c", "fine")]);
    expect(refusalsOf(result)).toEqual([
      ["a.md", "check_failed"],
      ["b.md", "check_failed"],
    ]);
  });

  it("refuses keys that differ only in case, in the folder or from a stored one", () => {
    expect(refusalsOf(plan([file("Support/x", "x"), file("support/x", "x")]))).toEqual([
      ["support/x.md", "key_conflict"],
    ]);
    expect(refusalsOf(plan([file("Support/x", "x")], { "support/x": "x" }))).toEqual([
      ["Support/x.md", "key_conflict"],
    ]);
    expect(refusalsOf(plan([file("support/x", "x")], { "support/x": "x" }))).toEqual([]);
  });

  it("refuses two files of one key", () => {
    expect(refusalsOf(plan([file("a", "x", "a.hbs"), file("a", "x", "a.md")]))).toEqual([
      ["a.md", "key_conflict"],
    ]);
  });

  it("names the members of a cycle, and not those who merely use it", () => {
    const result = plan([
      file("a", "{{> b}}"),
      file("b", "{{> a}}"),
      file("user", "{{> a}}"),
      file("self", "{{> self}}"),
    ]);
    expect(refusalsOf(result).map(([path]) => path)).toEqual(["a.md", "b.md", "self.md"]);
  });

  it("names a cycle that closes through the registry", () => {
    const result = plan([file("a", "{{> p}}"), file("user", "x")], { p: "{{> q}}", q: "{{> a}}" });
    expect(refusalsOf(result)).toEqual([["a.md", "check_failed"]]);
    expect(result.refused[0]?.problem.message).toContain("a → p → q → a");
  });

  it("refuses what includes deeper than a render may go", () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, n) => file(`k${100 + n}`, n === 0 ? "x" : `{{> k${99 + n}}}`));
    expect(plan(chain(LIMITS.includeDepth + 1)).refused).toEqual([]);
    expect(refusalsOf(plan(chain(LIMITS.includeDepth + 3)))).toEqual([
      [`k${100 + LIMITS.includeDepth + 1}.md`, "limit_exceeded"],
      [`k${100 + LIMITS.includeDepth + 2}.md`, "limit_exceeded"],
    ]);
    const long = Object.fromEntries(
      chain(LIMITS.includeDepth + 1).map((one) => [one.file.key, one.file.body]),
    );
    expect(refusalsOf(plan([file("top", `{{> k${100 + LIMITS.includeDepth}}}`)], long))).toEqual([
      ["top.md", "limit_exceeded"],
    ]);
  });

  it("refuses a cache breakpoint that would come twice", () => {
    const result = plan([file("p", "{{cacheBreakpoint}}"), file("a", "{{> p}}{{> p}}")]);
    expect(refusalsOf(result)).toEqual([["a.md", "check_failed"]]);
  });

  it("refuses, of many good files, the one whose tags have no UTF-8", () => {
    const bad = file("b", "x");
    bad.file.settings.tags = ["\ud800"];
    expect(refusalsOf(plan([file("a", "x"), bad]))).toEqual([["b.md", "bad_request"]]);
  });

  it("does not blame those who include a file that cannot be read", () => {
    expect(refusalsOf(plan([file("a", "{{> b}}"), file("b", "{{#if}}")]))).toEqual([
      ["b.md", "check_failed"],
    ]);
  });

  it("reads no syntax into a plain body", () => {
    const plain = { ...file("a", "{{> gone}} {{#if"), path: "a.txt" };
    plain.file.settings.syntax = "plain";
    expect(plan([plain]).refused).toEqual([]);
  });

  it("orders any folder without cycles, every file once", () => {
    const folders = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(folders, (includes) => {
        // File n includes only files of a smaller number, so that there is no cycle.
        const files = includes.map((list, n) =>
          file(`k${n}`, n === 0 ? "x" : list.map((m) => `{{> k${m % n}}}`).join("") || "x"),
        );
        const done = new Set<string>();
        for (const wave of plan(files).waves) {
          for (const { file } of wave)
            for (const [, key] of file.body.matchAll(/> (k\d+)/g)) expect(done.has(key ?? "")).toBe(true);
          for (const { file } of wave) done.add(file.key);
        }
        expect(done.size).toBe(files.length);
      }),
    );
  });
});
