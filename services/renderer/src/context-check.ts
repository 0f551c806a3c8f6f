import { createValidator, type Contract, findUnlisted, type Reads } from "@incipit/schema";
import { checkTemplate, type LinkedTemplate } from "@incipit/templates";
import type { ContextCheck } from "./template-cache.ts";

/** What a validator costs, and what each field that it looks at does. */
const BASE_BYTES = 1_000;
const FIELD_BYTES = 500;

/**
 * Builds what judges the contexts of a linked template: once for a template and a version of its contract. It looks at what the
 * checker says can be read, and at nothing else, so that a new field of the contract breaks no caller of a template that
 * does not read it.
 */
export function createContextCheck(
  template: LinkedTemplate,
  contract: Contract,
  version: number,
): ContextCheck {
  const { reads } = checkTemplate(template, contract, { witnesses: false });
  return {
    contract: { name: contract.name, version },
    validate: createValidator(contract, reads),
    findUnlisted: (context, most) => findUnlisted(contract, context, most),
    size: Math.ceil(
      BASE_BYTES + FIELD_BYTES * countReads(reads, JSON.stringify(contract.document).length / FIELD_BYTES),
    ),
  };
}

/** `whole`: what reading all of a value counts as, since it may be all of the contract. */
function countReads(reads: Reads, whole: number): number {
  if (reads.all) return whole;
  let count = 1;
  for (const field of reads.fields.values()) count += countReads(field, whole);
  return reads.items === null ? count : count + countReads(reads.items, whole);
}
