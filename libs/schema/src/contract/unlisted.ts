import { LIMITS } from "../limits.ts";
import type { Json, JsonObject } from "../template.ts";
import type { Contract, Shape } from "./contract.ts";
import { membersOf } from "./shapes.ts";

type Open = { readonly value: Json; readonly shapes: readonly Shape[]; readonly path: string };

/** Characters of a path that is told: a caller's names may be as long as a request. */
const LONGEST_PATH = 200;

/**
 * The fields of a context that its contract lists nowhere they could stand, as paths, the first `most` of them: a misspelt
 * name, or one of another contract. They are pruned before a template sees the context.
 */
export function findUnlisted(contract: Contract, context: JsonObject, most: number): string[] {
  const found: string[] = [];
  const open: Open[] = [{ value: context, shapes: membersOf(contract.root), path: "" }];
  let left: number = LIMITS.contextChecks;
  for (const { value, shapes, path } of open) {
    if (typeof value !== "object" || value === null || shapes.length === 0) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (left < 0 || found.length >= most) return found;
      const at = Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
      const next = Array.isArray(value) ? itemsOf(shapes) : fieldsOf(shapes, name);
      left -= shapes.length + (next?.length ?? 0);
      if (next === null) found.push(at.length <= LONGEST_PATH ? at : `${at.slice(0, LONGEST_PATH)}…`);
      else if (typeof inner === "object") open.push({ value: inner, shapes: next, path: at });
    }
  }
  return found;
}

const flat = (shapes: readonly Shape[]): Shape[] => [...new Set(shapes.flatMap(membersOf))];

const itemsOf = (shapes: readonly Shape[]): Shape[] =>
  flat(shapes.flatMap((shape) => (shape.kind === "list" ? [shape.item] : [])));

/** What a name may hold in any of the objects and records; null: none of them has it. */
function fieldsOf(shapes: readonly Shape[], name: string): Shape[] | null {
  const holders = shapes.filter(({ kind }) => kind === "object" || kind === "record");
  const found = holders.flatMap((shape) => {
    if (shape.kind === "record") return [shape.value];
    const field = shape.kind === "object" ? shape.fields.get(name) : undefined;
    return field === undefined ? [] : [field.shape];
  });
  return holders.length > 0 && found.length === 0 ? null : flat(found);
}
