import { expect, it } from "vitest";
import { parseContract } from "./parse-contract.ts";
import { writeContractTypes } from "./types-text.ts";

function typesOf(name: string, document: unknown): string {
  const contract = parseContract(name, document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return writeContractTypes(contract.value);
}

it("writes what a caller sends", () => {
  const document = {
    type: "object",
    required: ["user", "lang"],
    properties: {
      user: {
        description: "Who asks.",
        type: "object",
        required: ["name"],
        properties: {
          name: { description: "The name.", type: "string" },
          boss: { description: "Above.", $ref: "#/$defs/Person" },
        },
      },
      lang: { description: "The language.", enum: ["en", "de", null] },
      "open-tasks": { description: "To do.", type: "array", items: { type: "integer" }, default: [] },
      marks: { description: "Any */ marks.", type: "object", additionalProperties: { type: "boolean" } },
    },
    $defs: {
      Person: {
        type: "object",
        required: ["name"],
        properties: {
          name: { description: "The name.", type: "string" },
          boss: { description: "Above.", $ref: "#/$defs/Person" },
        },
      },
    },
  };
  expect(typesOf("support-triage", document))
    .toBe(`/** What a render of a template written against the contract support-triage is given. */
export type SupportTriageContext = {
  /** Who asks. */
  user: {
    /** The name. */
    name: string;
    /** Above. */
    boss?: Person;
  };
  /** The language. */
  lang: "en" | "de" | null;
  /** To do. Default: []. */
  "open-tasks"?: Array<number>;
  /** Any *\\/ marks. */
  marks?: { [name: string]: boolean };
};
export type Person = {
  /** The name. */
  name: string;
  /** Above. */
  boss?: Person;
};
`);
});

it("gives each variant a name", () => {
  const variant = (title: string, name: string) => ({
    type: "object",
    title,
    required: [name],
    properties: { [name]: { description: "d", type: "string" } },
  });
  expect(typesOf("c", { anyOf: [variant("A run on a task", "task"), variant("A talk", "talk")] }))
    .toBe(`/** What a render of a template written against the contract c is given. */
export type CContext = ARunOnATask | ATalk;
export type ATalk = {
  /** d */
  talk: string;
};
export type ARunOnATask = {
  /** d */
  task: string;
};
`);
});
