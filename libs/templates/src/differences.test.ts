import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import { expect, it } from "vitest";
import { parse } from "yaml";

type Case = {
  name: string;
  template: string;
  partials?: Record<string, string>;
  context?: Record<string, unknown>;
  stock: string | null;
};

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const cases = parse(read("../spec/differences.yaml")) as Case[];
const page = read("../../../docs/reference/handlebars-differences.md");

it.each(cases)("stock Handlebars does differ: $name", ({ template, partials = {}, context = {}, stock }) => {
  const own = Handlebars.create();
  for (const [key, body] of Object.entries(partials)) own.registerPartial(key, body);
  const run = (): string => own.compile(template)(context);
  if (stock === null) expect(run).toThrow(Error);
  else expect(run()).toBe(stock);
});

it("the page and the cases name the same differences", () => {
  const inCases = new Set(cases.map(({ name }) => name.split(":")[0]));
  const rows = [...page.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name = ""]) => name.trim());
  const inPage = new Set(rows.filter((name) => name !== "difference" && !name.startsWith("---")));
  expect([...inPage].toSorted()).toEqual([...inCases].toSorted());
});
