import { type Contract, type ContractDocument, parseContract } from "@incipit/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { link, type Pair, pairOf } from "../testing/fuzz.ts";
import { createRandom } from "../testing/random.ts";
import type { RandomTemplate } from "../testing/random-template.ts";
import { checkTemplate } from "./check/check-template.ts";

const RUNS = 1_000;

/** Runs a property on random pairs; those that are no templates are passed over. */
function forPairs(property: (pair: Pair) => void): void {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (seed) => {
      const pair = pairOf(createRandom(seed), { witnesses: false });
      if (pair !== null) property(pair);
    }),
    { numRuns: RUNS },
  );
}

const isAccepted = (template: RandomTemplate, contract: Contract): boolean => {
  const linked = link(template);
  if (linked === null) throw new Error(`no template: ${template.body}`);
  return checkTemplate(linked, contract, { witnesses: false }).findings.length === 0;
};

function parse(document: unknown): Contract {
  const contract = parseContract("c", document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return contract.value;
}

/** A document changed at each of its objects. */
function mapObjects(
  document: ContractDocument,
  change: (node: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, walk(field)]));
    return "properties" in copy && copy["type"] === "object" ? change(copy) : copy;
  };
  return walk(document);
}

describe("a verdict does not change for the worse", () => {
  it("when fields are added to the contract", () => {
    forPairs(({ contract, template, report }) => {
      if (report.findings.length > 0) return;
      const wider = mapObjects(contract.document, (node) => ({
        ...node,
        properties: { ...(node["properties"] as object), added: { type: "string", description: "d" } },
      }));
      expect(isAccepted(template, parse(wider)), template.body).toBe(true);
    });
  });

  it("when what may be null must be there", () => {
    forPairs(({ contract, template, report }) => {
      if (report.findings.length > 0) return;
      const narrow = mapObjects(contract.document, (node) => ({
        ...node,
        required: [
          ...new Set([
            ...((node["required"] as string[] | undefined) ?? []),
            ...Object.entries(node["properties"] as object).flatMap(([name, field]) =>
              isRecursive(field) ? [] : [name],
            ),
          ]),
        ],
      }));
      expect(isAccepted(template, parse(narrow)), template.body).toBe(true);
    });
  });

  it("when it stands behind a guard", () => {
    forPairs(({ contract, template, report }) => {
      if (report.findings.length > 0) return;
      const [field] = contract.variants[0]?.fields.keys() ?? [];
      const body = `{{#if ${field}}}${template.body}{{else}}-{{/if}}`;
      expect(isAccepted({ ...template, body }, contract), body).toBe(true);
    });
  });
});

const isRecursive = (node: unknown): boolean => JSON.stringify(node).includes("$ref");

describe("a verdict is the same", () => {
  it.each<[string, (body: string) => string]>([
    ["with other space in its tags", (body) => body.replaceAll("}}", " }}").replaceAll(/ as \|/g, "  as |")],
    [
      "with comments",
      (body) => body.replaceAll(/(?<!\{)\{\{(?=#)/g, "{{! a note }}{{!-- {{another}} --}}{{"),
    ],
    ["with other whitespace control", (body) => body.replaceAll(/(?<!\{)\{\{(?=[#/])/g, "{{~")],
  ])("%s", (_, change) => {
    forPairs(({ contract, template, report }) => {
      const changed = change(template.body);
      const is = isAccepted({ ...template, body: changed }, contract);
      expect(is, changed).toBe(report.findings.length === 0);
    });
  });

  it("with a partial written out where it stands", () => {
    let written = 0;
    forPairs(({ contract, template, report }) => {
      const include = /\{\{> (p\d) ([^\s}=]+)\}\}/;
      if (
        !include.test(template.body) ||
        /@root|\.\.\/|@index|@key|@first|@last/.test([...template.partials.values()].join(""))
      )
        return;
      // What a name of a block around means is not what it means in the partial.
      if (/ as \|/.test(template.body)) return;
      written++;
      const body = template.body.replace(include, (_, key: string, path: string) => {
        const text = template.partials.get(key) ?? "";
        return `{{#with ${path}}}${text}{{/with}}`;
      });
      if (report.findings.length === 0) expect(isAccepted({ ...template, body }, contract), body).toBe(true);
    });
    expect(written).toBeGreaterThan(10);
  });
});
