import type { ObjectShape, Shape } from "./contract.ts";
import { type Reads, READS_ALL, readsOfField, readsOfItems } from "./reads.ts";

/**
 * Whether a template reads an object as a whole, wherever in the context it stands: by `json`, by a loop, by its length.
 * Then its callers must give each of the object's required fields, though the template names none.
 */
export function isReadWhole(root: Shape, reads: Reads, object: ObjectShape): boolean {
  const open: { shape: Shape; reads: Reads }[] = [];
  const seen = new Set<Shape>();
  const push = (shape: Shape, of: Reads | null) => {
    // Reads end, whatever the contract does; only all of it goes on for as long as that.
    if (of === null || (of === READS_ALL && seen.has(shape))) return;
    if (of === READS_ALL) seen.add(shape);
    open.push({ shape, reads: of });
  };
  push(root, reads.all ? READS_ALL : reads);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { shape } = next;
    const of = next.reads;
    if (shape === object && (of.all || of.items !== null)) return true;
    if (shape.kind === "union") for (const member of shape.members) push(member, of);
    else if (shape.kind === "list") push(shape.item, readsOfItems(of));
    else if (shape.kind === "record") {
      push(shape.value, readsOfItems(of));
      for (const field of of.fields.values()) push(shape.value, field.all ? READS_ALL : field);
    } else if (shape.kind === "object")
      for (const { name, shape: inner } of shape.fields.values())
        push(inner, wholeOr(readsOfField(of, name)));
  }
  return false;
}

const wholeOr = (reads: Reads | null): Reads | null => (reads?.all === true ? READS_ALL : reads);
