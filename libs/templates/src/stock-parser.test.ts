import Handlebars from "handlebars";
import { expect, it } from "vitest";
import { parseTemplate } from "./parse-template.ts";
import { parseStock } from "./stock-parser.ts";

it("another user of Handlebars in the process is not disturbed, and disturbs nothing (langfuse-js)", () => {
  const before = Handlebars.parse("a {{b}}\n {{c}}");
  Handlebars.registerHelper("shout", () => "!");
  try {
    expect(parseTemplate("{{shout x}}", "handlebars").ok).toBe(false);
    expect(parseTemplate("{{#if x}}", "handlebars").ok).toBe(false);
    expect(Handlebars.parse("a {{b}}\n {{c}}")).toEqual(before);
    expect(Handlebars.compile("{{shout}}")({})).toBe("!");
    expect(() => Handlebars.parse("{{#if x}}")).toThrow(/Parse error on line 1/);
  } finally {
    Handlebars.unregisterHelper("shout");
  }
});

it("builds the same tree as stock Handlebars, with offsets for places", () => {
  const body =
    "a {{!-- b --}}{{~#if (c d=1)}} \r\n {{else if e.f}}{{> g h}} {{^}} \\{{x}} {{{y}}}\n{{/if}}\u2028{{z}}";
  const withoutPlaces = (tree: unknown): unknown =>
    JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === "loc" ? undefined : value)));
  const parsed = parseStock(body);
  if (!parsed.ok) throw new Error("refused");
  expect(withoutPlaces(parsed.program)).toEqual(withoutPlaces(Handlebars.parse(body)));
  const last = parsed.program.body.at(-1);
  expect(body.slice(last?.loc.start.column, last?.loc.end.column)).toBe("{{z}}");
});

it("many comments take no more than their length", () => {
  const body = "{{!-- note --}}x".repeat(16_000);
  expect(parseTemplate(body, "handlebars")).toMatchObject({
    ok: true,
    value: { body: [{ kind: "text", text: "x".repeat(16_000) }] },
  });
});
