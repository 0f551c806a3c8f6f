import { type Contract, type ContractDocument, parseContract } from "@incipit/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { link, type Pair, pairOf } from "../testing/fuzz.ts";
import { createRandom } from "../testing/random.ts";
import type { RandomTemplate } from "../testing/random-template.ts";
import { checkTemplate } from "./check/check-template.ts";

const RUNS = 1_000;

/** Runs a property on random pairs; those that are no templates are passed over. */
function forPairs(property: (pair: Pair) => void, options: { whole?: number } = {}): void {
  fc.assert(
    fc.property(fc.noBias(fc.integer({ min: 0 })), (seed) => {
      const pair = pairOf(createRandom(seed), { witnesses: false, ...options });
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

/** Whether a template is accepted by a changed contract; one whose defaults no longer fit is passed over. */
function isStillAccepted(template: RandomTemplate, document: unknown): boolean {
  const contract = parseContract("c", document);
  if (contract.ok) return isAccepted(template, contract.value);
  if (!contract.problem.message.includes("default does not fit")) throw new Error(contract.problem.message);
  return true;
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
  it.each([[false], [true]])("when fields are added to the contract, required: %s", (isRequired) => {
    forPairs(
      ({ contract, template, report }) => {
        if (report.findings.length > 0) return;
        const wider = mapObjects(contract.document, (node) => ({
          ...node,
          properties: { ...(node["properties"] as object), added: { type: "string", description: "d" } },
          ...(isRequired && { required: [...((node["required"] as string[] | undefined) ?? []), "added"] }),
        }));
        expect(isStillAccepted(template, wider), template.body).toBe(true);
        // Not those of all of the language: they loop over objects, where another field is another item.
      },
      { whole: 0 },
    );
  });

  it("when what may be absent must be there", () => {
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
      expect(isStillAccepted(template, narrow), template.body).toBe(true);
    });
  });

  it("when what may be null may not", () => {
    let changed = 0;
    forPairs(({ contract, template, report }) => {
      if (report.findings.length > 0) return;
      const narrow = withoutNull(contract.document);
      if (JSON.stringify(narrow) !== JSON.stringify(contract.document)) changed++;
      expect(isStillAccepted(template, narrow), template.body).toBe(true);
    });
    expect(changed).toBeGreaterThan(RUNS / 10);
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

/** A document in which nothing may be null. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    (name === "anyOf" || name === "enum") && Array.isArray(field)
      ? withoutNull(field.filter((one) => one !== null && (one as { type?: unknown }).type !== "null"))
      : withoutNull(field),
  ]);
  const { anyOf, ...rest } = Object.fromEntries(fields) as Record<string, unknown>;
  if (!Array.isArray(anyOf)) return Object.fromEntries(fields);
  // What is left of two stands by itself.
  return anyOf.length === 1 ? { ...(anyOf[0] as object), ...rest } : { anyOf, ...rest };
}

const isRecursive = (node: unknown): boolean => JSON.stringify(node).includes("$ref");

describe("a verdict is the same", () => {
  it.each<[string, (body: string) => string]>([
    [
      "with other space in its tags",
      (body) =>
        body.replaceAll(/\{\{[^{}]*\}\}/g, (tag) =>
          tag
            .replace(/\}\}$/, "\n}}")
            .replaceAll(/"[^"]*"| +/g, (part) => (part.startsWith('"') ? part : "\n \t")),
        ),
    ],
    [
      "with comments",
      (body) => body.replaceAll(/(?<!\{)\{\{(?=#)/g, "{{! a note }}{{!-- {{another}} --}}{{"),
    ],
    [
      "with other whitespace control",
      (body) =>
        body.replaceAll(/(?<!\{)\{\{(?=[#/])/g, "{{~").replaceAll(/(?<=\{\{[^{}]*)(?<!\})\}\}(?!\})/g, "~}}"),
    ],
  ])("%s", (_, change) => {
    forPairs(({ contract, template, report }) => {
      const changed = change(template.body);
      const is = isAccepted({ ...template, body: changed }, contract);
      expect(is, changed).toBe(report.findings.length === 0);
    });
  });

  it("with a partial written out where it stands", () => {
    let written = 0;
    let refused = 0;
    forPairs(
      ({ contract, template, report }) => {
        const include = /\{\{> (p\d) ([^\s}=]+)\}\}/;
        if (
          !include.test(template.body) ||
          /@root|\.\.\/|@index|@key|@first|@last/.test([...template.partials.values()].join(""))
        )
          return;
        // What a name of a block around means is not what it means in the partial.
        if (/ as \|/.test(template.body)) return;
        written++;
        const by = (text: (key: string) => string) =>
          template.body.replace(
            include,
            (_, key: string, path: string) => `{{#with ${path}}}${text(key)}{{/with}}`,
          );
        const inlined = by((key) => template.partials.get(key) ?? "");
        // Beside the same guard, so that the verdicts are equal whether the value may be null or not.
        const included = by((key) => `{{> ${key}}}`);
        const is = isAccepted({ ...template, body: inlined }, contract);
        expect(is, inlined).toBe(isAccepted({ ...template, body: included }, contract));
        if (report.findings.length === 0) expect(is, inlined).toBe(true);
        if (!is) refused++;
      },
      { whole: 0 },
    );
    expect(written).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(0);
  });
});
