import { LIMITS, utf8Length } from "../limits.ts";
import type { Fault } from "./fault-list.ts";

/** What is wrong with a document before it is read: over which limit it is, or what in it is no JSON. */
export type Measured = { readonly over: string } | { readonly fault: Fault } | null;

type Open = { readonly value: unknown; readonly depth: number; readonly path: string };

/**
 * Walks a document once, without recursion, and counts before anything else is done with it: it may be of any size, and
 * have circles where it did not come out of JSON text.
 */
export function measureDocument(document: unknown): Measured {
  let parts = 0;
  const open: Open[] = [{ value: document, depth: 0, path: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, path } = next;
    if (typeof value !== "object" || value === null) {
      const message = faultOfScalar(value);
      if (message !== null) return { fault: { path, message } };
      continue;
    }
    if (++parts > LIMITS.contractNodes * PARTS_OF_NODE)
      return { over: `has more than ${LIMITS.contractNodes} fields (limit "contractNodes")` };
    if (depth > LIMITS.contractDepth * LEVELS_OF_NODE)
      return { over: `nests deeper than ${LIMITS.contractDepth} (limit "contractDepth")` };
    const message = faultOfObject(value);
    if (message !== null) return { fault: { path, message } };
    for (const [name, inner] of Object.entries(value))
      open.push({ value: inner, depth: depth + 1, path: path === "" ? name : `${path}.${name}` });
  }
  const bytes = utf8Length(JSON.stringify(document));
  return bytes > LIMITS.contractBytes
    ? { over: `takes more than ${LIMITS.contractBytes} bytes (limit "contractBytes")` }
    : null;
}

function faultOfScalar(value: unknown): string | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : `is ${value}, which is not JSON`;
  return `is ${typeof value}, which is not JSON`;
}

function faultOfObject(value: object): string | null {
  if (Array.isArray(value)) {
    const isDense = Object.keys(value).length === value.length;
    return isDense ? null : "is a list with holes, which is not JSON";
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return "is not a plain object, so not JSON";
  return Object.hasOwn(value, "__proto__")
    ? "has a field __proto__, which JavaScript programs would lose: give it another name"
    : null;
}

/** JSON objects and lists that one field takes at most: itself, its `properties`, `required`, `enum`. */
const PARTS_OF_NODE = 4;
/** Levels of JSON that one level of a contract takes: the node, and its `properties` or `anyOf`. */
const LEVELS_OF_NODE = 2;
