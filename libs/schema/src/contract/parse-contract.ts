import { ok, refuse, type Result } from "../problem.ts";
import { buildShapes } from "./build-shapes.ts";
import type { Contract } from "./contract.ts";
import type { ContractDocument } from "./document.ts";
import { refuseFaults } from "./fault-list.ts";
import { measureDocument } from "./measure-document.ts";
import { readDocument } from "./read-document.ts";

/**
 * Reads a contract's document: the subset of JSON Schema that `ContractDocument` lists. Refuses (`bad_request`, with every
 * fault and its path, the first one's in `path`) what is not in it, a field without a description, names that templates
 * cannot read, and recursion that no value can end; `too_large` over `LIMITS.contractBytes`, `contractNodes`,
 * `contractDepth`, `contractLevels`. The document is plain JSON, and stays what it is.
 */
export function parseContract(name: string, document: unknown): Result<Contract> {
  const sentence = `The contract ${name} is not valid.`;
  const measured = measureDocument(document);
  if (measured !== null)
    return "over" in measured
      ? refuseSize(name, measured.over)
      : refuseFaults("bad_request", sentence, [measured.fault]);
  const { faults, node, over } = readDocument(document);
  if (over !== null) return refuseSize(name, over);
  if (node === null) return refuseFaults("bad_request", sentence, faults);
  const built = buildShapes(node);
  if (!built.ok) return refuseFaults("bad_request", sentence, built.faults);
  const { root } = built;
  const variants =
    root.kind === "object" ? [root] : root.members.filter((member) => member.kind === "object");
  return ok({ name, document: document as ContractDocument, root, variants });
}

function refuseSize(name: string, over: string): Result<never> {
  return refuse("too_large", `The contract ${name} ${over}. Split it, or leave fields out.`);
}
