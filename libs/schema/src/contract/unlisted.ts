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
  const inside = createInside();
  let left: number = LIMITS.contextChecks;
  for (const { value, shapes, path } of open) {
    if (typeof value !== "object" || value === null || shapes.length === 0) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (--left < 0 || found.length >= most) return found;
      const at = Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
      const next = inside(shapes, Array.isArray(value) ? null : name);
      if (next === null) found.push(at.length <= LONGEST_PATH ? at : `${at.slice(0, LONGEST_PATH)}…`);
      else if (typeof inner === "object") open.push({ value: inner, shapes: next, path: at });
    }
  }
  return found;
}

/** What may stand under a name, or (null) as an item, where any of some shapes may be; null: none of them has the name. */
type Inside = (shapes: readonly Shape[], name: string | null) => readonly Shape[] | null;

/** Finds each once: a context has a contract's places over and over. */
function createInside(): Inside {
  const known = new Map<readonly Shape[], Map<string | null, readonly Shape[] | null>>();
  return (shapes, name) => {
    const here = known.get(shapes) ?? new Map<string | null, readonly Shape[] | null>();
    known.set(shapes, here);
    const before = here.get(name);
    if (before !== undefined) return before;
    const next = name === null ? itemsOf(shapes) : fieldsOf(shapes, name);
    here.set(name, next);
    return next;
  };
}

/** Their members; the very list of a union that is alone, so that it is known again. */
function membersOfAll(shapes: readonly Shape[]): readonly Shape[] {
  const [only, ...others] = new Set(shapes);
  if (only === undefined) return [];
  return others.length === 0 ? membersOf(only) : [...new Set([only, ...others].flatMap(membersOf))];
}

const itemsOf = (shapes: readonly Shape[]): readonly Shape[] =>
  membersOfAll(shapes.flatMap((shape) => (shape.kind === "list" ? [shape.item] : [])));

function fieldsOf(shapes: readonly Shape[], name: string): readonly Shape[] | null {
  const holders = shapes.filter(({ kind }) => kind === "object" || kind === "record");
  const found = holders.flatMap((shape) => {
    if (shape.kind === "record") return [shape.value];
    const field = shape.kind === "object" ? shape.fields.get(name) : undefined;
    return field === undefined ? [] : [field.shape];
  });
  return holders.length > 0 && found.length === 0 ? null : membersOfAll(found);
}
