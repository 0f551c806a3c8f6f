import { type Contract, parseContract, type Syntax } from "@incipit/schema";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { linkTemplate } from "../link-template.ts";
import { parseTemplate } from "../parse-template.ts";
import { checkTemplate } from "./check-template.ts";

type Expected = Record<string, unknown>;
type Case = {
  name: string;
  contract: string;
  template: string;
  syntax?: Syntax;
  partials?: Record<string, string>;
  findings?: Expected[];
  warnings?: Expected[];
};

const FOLDER = fileURLToPath(new URL("../../spec/checker/", import.meta.url));
const read = (file: string): unknown => parse(readFileSync(FOLDER + file, "utf8"), { schema: "core" });

const contracts = new Map<string, Contract>(
  Object.entries(read("contracts.yaml") as Record<string, unknown>).map(([name, document]) => {
    const contract = parseContract(name, document);
    if (!contract.ok) throw new Error(contract.problem.message);
    return [name, contract.value];
  }),
);

function check({ contract: name, template, syntax = "handlebars", partials = {} }: Case) {
  const contract = contracts.get(name);
  if (contract === undefined) throw new Error(`no contract ${name}`);
  const parsed = parseTemplate(template, syntax);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const linked = linkTemplate("root", parsed.value, (key) => {
    const partial = parseTemplate(partials[key] ?? "", "handlebars");
    return partial.ok ? { key, version: 1, parsed: partial.value } : undefined;
  });
  if (!linked.ok) throw new Error(linked.problem.message);
  return checkTemplate(linked.value, contract);
}

/** A text between slashes is to be found in the actual one; objects hold at least what is expected. */
function expectation(value: unknown): unknown {
  if (typeof value === "string" && /^\/.*\/$/s.test(value))
    return expect.stringContaining(value.slice(1, -1));
  if (Array.isArray(value)) return value.map(expectation);
  if (typeof value !== "object" || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, field]) => [name, expectation(field)])),
  );
}

const files = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml") && file !== "contracts.yaml");
describe.each(files)("%s", (file) => {
  it.each(read(file) as Case[])("$name", (one) => {
    const { findings, warnings } = check(one);
    expect(findings).toEqual(expectation(one.findings ?? []));
    if (one.warnings !== undefined) expect(warnings).toEqual(expectation(one.warnings));
  });
});

it("the contracts of the cases are as large as real ones", () => {
  const count = (names: Set<string>, value: unknown): Set<string> => {
    if (typeof value !== "object" || value === null) return names;
    for (const [name, field] of Object.entries(value)) {
      if (name === "properties" && typeof field === "object" && field !== null)
        for (const property of Object.keys(field)) names.add(`${names.size} ${property}`);
      count(names, field);
    }
    return names;
  };
  expect(count(new Set(), contracts.get("mission")?.document).size).toBeGreaterThan(60);
  expect(contracts.get("mission")?.variants).toHaveLength(3);
});

it("forgets what only some of very many ways know, and none of the ways", () => {
  const names = "abcdefghi".split("");
  const document = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string", description: "d" }])),
  };
  const contract = parseContract("c", document);
  const guards = names.slice(0, 8).map((name) => `{{#unless ${name}}}`);
  const body = `{{#if (or ${names.join(" ")})}}${guards.join("")}{{i}}${"{{/unless}}".repeat(8)}{{/if}}`;
  const parsed = parseTemplate(body, "handlebars");
  const linked = parsed.ok ? linkTemplate("t", parsed.value, () => undefined) : parsed;
  if (!contract.ok || !linked.ok) throw new Error("the case is no template over a contract");
  expect(checkTemplate(linked.value, contract.value).findings).toMatchObject([
    { code: "null_printed", witness: null },
  ]);
});
