import { expect, it } from "vitest";
import type { Syntax } from "@incipit/schema";
import { listVariables } from "./list-variables.ts";
import { parseTemplate } from "./parse-template.ts";

function list(body: string, syntax: Syntax = "handlebars"): readonly string[] {
  const parsed = parseTemplate(body, syntax);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return listVariables(parsed.value);
}

it.each([
  ["{{ x }}{{a.b}}{{x}}", ["x", "a.b"]],
  ["{{#each xs}}{{y}}{{this.z}}{{../t}}{{@index}}{{/each}}", ["xs", "xs[].y", "xs[].z", "t"]],
  ["{{#each xs}}{{this}}{{/each}}", ["xs", "xs[]"]],
  [
    "{{#each xs as |x i|}}{{x.y}}{{i}}{{#each x.zs}}{{q}}{{x.n}}{{/each}}{{/each}}",
    ["xs", "xs[].y", "xs[].zs", "xs[].zs[].q", "xs[].n"],
  ],
  [
    "{{#with user as |u|}}{{name}}{{u.age}}{{@root.t}}{{else}}{{s}}{{/with}}",
    ["user", "user.name", "user.age", "t", "s"],
  ],
  ["{{#if (and a (not b.c))}}{{else if d}}{{e}}{{/if}}", ["a", "b.c", "d", "e"]],
  ['{{lookup user "name"}}{{lookup r k}}{{default n "x"}}', ["user.name", "k", "r[]", "n"]],
  ["{{#with (default user other)}}{{name}}{{/with}}", ["user", "other", "user.name"]],
  ["{{#each (join xs)}}{{y}}{{/each}}", ["xs"]],
  ["{{> p user name=full}}", ["user", "full"]],
  ["{{a.[b c]}}{{[x.y]}}", ['a["b c"]', '["x.y"]']],
  ["\\{{x}} {y}", []],
  ["{{cacheBreakpoint}}{{x}}{{#with y}}{{../x}}{{#if z}}{{../w}}{{/if}}{{/with}}", ["x", "y", "y.z", "w"]],
  ["{{#each xs}}{{> p y z=../w}}{{/each}}{{> q}}", ["xs", "xs[].y", "w"]],
  ["{{#each (default xs ys) as |x|}}{{x.a}}{{/each}}", ["xs", "ys", "xs[].a"]],
  ["{{#with (lookup m k)}}{{n}}{{/with}}", ["k", "m[]", "m[].n"]],
  ['{{#each (lookup m "k")}}{{#each this}}{{x}}{{/each}}{{/each}}', ["m.k", "m.k[]", "m.k[][].x"]],
  ['{{lookup (json x) "y"}}{{lookup (default a b) "c"}}', ["x", "a", "b", "a.c"]],
  [
    "{{#each xs as |x key|}}{{key}}{{@key}}{{@root.a.b}}{{lookup @root key}}{{else}}{{e}}{{/each}}",
    ["xs", "a.b", "[]", "e"],
  ],
])("attributes what is read to its scope: %s (langfuse 3359)", (body, expected) => {
  expect(list(body)).toEqual(expected);
});

it("lists the slots of the slots syntax", () => {
  expect(list("{a} \\{b} {c} {a} {cacheBreakpoint}", "slots")).toEqual(["a", "c"]);
  expect(list("{a} {{b}}", "plain")).toEqual([]);
});

it("a long path is listed as far as it goes, and not again for all that is read of it", () => {
  const long = "k".repeat(50_000);
  const parsed = parseTemplate(
    `{{#with ${long}}}${Array.from({ length: 10_000 }, (_, i) => `{{f${i}}}`).join("")}{{/with}}`,
    "handlebars",
  );
  if (!parsed.ok) throw new Error(parsed.problem.message);
  expect(listVariables(parsed.value)).toEqual([long]);
  const nested = parseTemplate(`{{a${".a".repeat(20_000)}}}`, "handlebars");
  if (!nested.ok) throw new Error(nested.problem.message);
  expect(listVariables(nested.value).join().length).toBeLessThan(400);
});
