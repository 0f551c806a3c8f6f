import { DEFAULT_SETTINGS, KINDS, ON_ERROR, SYNTAXES } from "@incipit/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatTemplateFile, parseTemplateFile, type TemplateFile } from "./template-file.ts";

const read = (path: string, text: string): TemplateFile => {
  const file = parseTemplateFile(path, text);
  if (!file.ok) throw new Error(file.problem.message);
  return file.value;
};

describe("reading a file", () => {
  test("a file without front matter is all body, byte for byte", () => {
    const text = "  Hello {{name}}\r\n\r\n---\r\nBye\n\n";
    expect(read("support/triage.md", text)).toEqual({
      key: "support/triage",
      body: text,
      settings: DEFAULT_SETTINGS,
    });
  });

  test("front matter holds the settings, and the body begins right behind it", () => {
    const text =
      "---\nsyntax: slots\ntags: [a, 'no']\nconfig: {model: x, temperature: 0.5}\n---\n\nHi {name}\n";
    const file = read("greet.txt", text);
    expect(file.body).toBe("\nHi {name}\n");
    expect(file.settings).toEqual({
      ...DEFAULT_SETTINGS,
      syntax: "slots",
      tags: ["a", "no"],
      config: { model: "x", temperature: 0.5 },
    });
  });

  test("front matter with CRLF is read, and the body keeps its own line ends", () => {
    const file = read("a.md", "---\r\nonError: degrade\r\n---\r\none\r\ntwo");
    expect([file.settings.onError, file.body]).toEqual(["degrade", "one\r\ntwo"]);
  });

  test("anything below _partials is a partial, unless it says otherwise", () => {
    expect(read("_partials/a.hbs", "x").settings.kind).toBe("partial");
    expect(read("x/_partials/y/a.hbs", "x").settings.kind).toBe("partial");
    expect(read("_partials.md", "x").settings.kind).toBe("prompt");
    expect(read("_partials/a.hbs", "---\nkind: prompt\n---\nx").settings.kind).toBe("prompt");
  });

  test.each([
    ["an unknown setting", "---\nkynd: partial\n---\nx", /kynd/],
    ["a wrong value", "---\nkind: letter\n---\nx", /kind/],
    ["a config with a field __proto__", "---\nconfig: {a: {__proto__: 1}}\n---\nx", /__proto__/],
    ["a list", "---\n- a\n---\nx", /front matter/],
    ["what is not YAML", "---\ntags: [a\n---\nx", /a\.md":3:1: the front matter is not YAML/],
    ["front matter that never closes", "---\ntags: [a]\nx", /never closes/],
    ["an alias bomb", `---\n${aliasBomb()}\n---\nx`, /"a\.md":3:11: The anchor &a0 cannot be used/],
    ["a cycle", "---\nconfig: &a {x: [*a]}\n---\nx", /"a\.md":2:12: The anchor &a cannot/],
    ["an alias of nothing", "---\nconfig:\n  x: *a\n---\nx", /"a\.md":3:6: The alias \*a cannot/],
    ["a merge key", "---\nconfig:\n  <<: {x: 1}\n---\nx", /"a\.md":3:3: The merge key << cannot/],
    ["a field that stands twice", "---\ntags: [a]\ntags: [b]\n---\nx", /"a\.md":3:1: .*twice/],
    ["what nests deeper than the parser", `---\nconfig: ${"[".repeat(50_000)}\n---\nx`, /"a\.md":2:/],
    [
      "a config nested too deep",
      `---\nconfig: ${"{a: ".repeat(150)}1${"}".repeat(150)}\n---\nx`,
      /config(\.a){32}: nests deeper than 32 levels/,
    ],
  ])("%s is refused by name", (_, text, message) => {
    const file = parseTemplateFile("a.md", text);
    if (file.ok) throw new Error("accepted");
    expect(file.problem.code).toBe("bad_request");
    expect(file.problem.message).toMatch(message);
    expect(file.problem.message).toContain('"a.md"');
  });

  test.each([
    [
      "---\ntags: [a]\nkynd: partial\n---\nx",
      3,
      1,
      '"kynd" is not known here; known: kind, syntax, contract, ',
    ],
    ["---\ntags:\n  - a\n  - ''\n---\nx", 4, 5, "tags[1]: must not be empty"],
    ["---\r\nkind: letter\r\n---\r\nx", 2, 7, "kind: must be one of prompt, partial, assembly"],
    ["---\n# all of it\nconfig: [1]\n---\nx", 3, 9, "config: must be an object"],
    ["---\n- a\n---\nx", 2, 1, "must be an object"],
  ])(
    "case %#: what is wrong in front matter is named with its place, under the name given",
    (text, line, column, why) => {
      const file = parseTemplateFile("shop/mail.md", text, "stdin");
      if (file.ok) throw new Error("accepted");
      expect(file.problem).toMatchObject({ code: "bad_request", path: "stdin", line, column });
      expect(file.problem.message).toContain(`"stdin":${line}:${column}: the front matter is not valid. `);
      expect(file.problem.message).toContain(why);
    },
  );

  test.each([
    ["/etc/a.md", "bad_request"],
    ["C:\\a.md", "bad_request"],
    ["../a.md", "bad_request"],
    ["x/../a.md", "bad_request"],
    ["./a.md", "bad_request"],
    ["a.yaml", "bad_request"],
    ["a b.md", "bad_key"],
    ["x//a.md", "bad_key"],
    ["x\\a.md", "bad_key"],
    [".md", "bad_key"],
    ["a.b.md", "bad_key"],
  ])("the path %s is refused as %s", (path, code) => {
    const file = parseTemplateFile(path, "x");
    expect(file.ok ? "accepted" : file.problem.code).toBe(code);
  });
});

describe("writing a file", () => {
  test("default settings write the bare body", () => {
    expect(formatTemplateFile({ key: "a", body: "x\n", settings: DEFAULT_SETTINGS })).toBe("x\n");
  });

  test("a body that begins like front matter is guarded", () => {
    const file = { key: "a", body: "---\ntags: [x]\n---\n", settings: DEFAULT_SETTINGS };
    expect(formatTemplateFile(file)).toBe("---\n---\n---\ntags: [x]\n---\n");
  });

  test("only what differs from the defaults is written", () => {
    const settings = { ...DEFAULT_SETTINGS, kind: "partial" as const, tags: ["a"] };
    expect(formatTemplateFile({ key: "_partials/a", body: "x", settings })).toBe("---\ntags:\n  - a\n---\nx");
    expect(formatTemplateFile({ key: "a", body: "x", settings })).toBe(
      "---\nkind: partial\ntags:\n  - a\n---\nx",
    );
  });

  test("a config field << is written so that it comes back as one", () => {
    const file = { key: "a", body: "x", settings: { ...DEFAULT_SETTINGS, config: { "<<": { a: 1 } } } };
    expect(read("a.md", formatTemplateFile(file))).toMatchObject(file);
  });

  test("reading what was written gives the same template", () => {
    const text = fc.string({ unit: "grapheme" });
    const lines = fc
      .array(fc.oneof(text, fc.constantFrom("---", "--- ", "...", "", "\uFEFF", "# x", "tags: [a]")))
      .chain((parts) => fc.constantFrom("\n", "\r\n").map((end) => parts.join(end)));
    const file: fc.Arbitrary<TemplateFile> = fc.record({
      key: fc.constantFrom("a", "_partials/b", "support/_partials/c", "X/Y_z/9"),
      body: fc.oneof(text, lines),
      settings: fc.record({
        kind: fc.constantFrom(...KINDS),
        syntax: fc.constantFrom(...SYNTAXES),
        onError: fc.constantFrom(...ON_ERROR),
        contract: fc.constantFrom(null, "agent", "null", "007", "true"),
        config: fc.constantFrom(null).chain((none) => fc.oneof(fc.constant(none), config)),
        tags: fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), { maxLength: 4 }),
      }),
    });
    fc.assert(
      fc.property(file, (written) => {
        const text = formatTemplateFile(written);
        const { frontLines = 0, ...same } = read(`${written.key}.md`, text);
        expect(same).toEqual(written);
        expect(text.split("\n").slice(frontLines).join("\n")).toBe(written.body);
      }),
      { numRuns: 1000 },
    );
  });
});

const config = fc
  .dictionary(
    fc.string({ unit: "grapheme", maxLength: 12 }).filter((name) => name !== "__proto__"),
    fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: "grapheme" }),
      fc.array(fc.string({ unit: "grapheme" }), { maxLength: 3 }),
    ),
    { noNullPrototype: true },
  )
  .map((value) => ({ ...value, nested: { list: [{ ...value }], none: {} } }));

function aliasBomb(): string {
  const levels = Array.from({ length: 12 }, (_, i) =>
    i === 0
      ? "a0: &a0 [x, x]"
      : `a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(", ")}]`,
  );
  return `config:\n  ${levels.join("\n  ")}`;
}
