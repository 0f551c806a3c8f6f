import { refuse, type ProblemDetails, type Result } from "../problem.ts";
import type { Contract } from "./contract.ts";
import { parseContract } from "./parse-contract.ts";

/**
 * Reads a stored version of a contract. What an older release has stored and this one would refuse is `unavailable`: nobody
 * but who publishes can help, and nothing is wrong with the request.
 */
export function readStoredContract(name: string, version: number, document: unknown): Result<Contract> {
  const contract = parseContract(name, document);
  return contract.ok ? contract : refuseUnreadable(name, version);
}

/** The refusal of whatever needs a version of a contract that this release cannot read. */
export function refuseUnreadable(
  name: string,
  version: number,
  details: ProblemDetails = { key: name },
): Result<never> & { ok: false } {
  const message = `This release cannot read version ${version} of the contract ${name}. Publish what it says under another name.`;
  return refuse("unavailable", message, details);
}
