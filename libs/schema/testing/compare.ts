import { compareContracts, type ContractComparison } from "../src/contract/compare.ts";
import type { Contract } from "../src/contract/contract.ts";
import { parseContract } from "../src/contract/parse-contract.ts";

/** A contract of a document that must be one. */
export function parse(document: unknown): Contract {
  const contract = parseContract("c", document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return contract.value;
}

/** An object in a document, each field described; all of them required unless said otherwise. */
export const object = (
  fields: Record<string, object>,
  required: string[] = Object.keys(fields),
  rest: object = {},
) => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { description: "d", ...field }]),
  ),
  required,
  ...rest,
});

/** Any string. */
export const text = { type: "string" };

/** Compares two documents. */
export const compare = (before: unknown, after: unknown): ContractComparison =>
  compareContracts(parse(before), parse(after));
