import { LIMITS, utf8Length } from "../limits.ts";
import { ok, refuse, type Result } from "../problem.ts";
import { buildShapes } from "./build-shapes.ts";
import type { Contract } from "./contract.ts";
import type { ContractDocument } from "./document.ts";
import { readDocument } from "./read-document.ts";

/** Something that is wrong with a document: where, and what, as the end of a sentence. */
export type DocumentFault = { readonly path: string; readonly message: string };

const SHOWN_FAULTS = 8;

/**
 * Reads a contract's document: the subset of JSON Schema that `ContractDocument` lists. Refuses (`bad_request`, with every
 * fault and its path, the first one's in `path`) what is not in it, a field without a description, names that templates
 * cannot read, and recursion that no value can end; `too_large` over `LIMITS.contractBytes`, `contractNodes`,
 * `contractDepth`.
 */
export function parseContract(name: string, document: unknown): Result<Contract> {
  const size = measure(document);
  if (size !== null)
    return refuse("too_large", `The contract ${name} ${size}. Split it, or leave fields out.`);
  const { faults, node } = readDocument(document);
  if (faults.length > 0 || node === null) return refuseFaults(name, faults);
  const built = buildShapes(node);
  if (!built.ok) return refuseFaults(name, built.faults);
  const { root } = built;
  const variants =
    root.kind === "object" ? [root] : root.members.filter((member) => member.kind === "object");
  return ok({ name, document: document as ContractDocument, root, variants });
}

function refuseFaults(name: string, faults: readonly DocumentFault[]): Result<never> {
  const shown = faults
    .slice(0, SHOWN_FAULTS)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  if (faults.length > shown.length) shown.push(`and ${faults.length - shown.length} more`);
  const [first] = faults;
  const path = first === undefined || first.path === "" ? {} : { path: first.path };
  return refuse("bad_request", `The contract ${name} is not valid. ${shown.join("; ")}.`, path);
}

/** Which limit a document is over, as the end of a sentence. Its nodes are counted before anything is done with them. */
function measure(document: unknown): string | null {
  let nodes = 0;
  const open: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (++nodes > LIMITS.contractNodes * PARTS_OF_NODE)
      return `has more than ${LIMITS.contractNodes} fields (limit "contractNodes")`;
    if (depth > LIMITS.contractDepth * LEVELS_OF_NODE)
      return `nests deeper than ${LIMITS.contractDepth} (limit "contractDepth")`;
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  const bytes = utf8Length(JSON.stringify(document) ?? "");
  return bytes > LIMITS.contractBytes
    ? `takes more than ${LIMITS.contractBytes} bytes (limit "contractBytes")`
    : null;
}

/** JSON objects and lists that one field takes at most: itself, its `properties`, `required`, `enum`. */
const PARTS_OF_NODE = 4;
/** Levels of JSON that one level of a contract takes: the node, and its `properties` or `anyOf`. */
const LEVELS_OF_NODE = 2;
