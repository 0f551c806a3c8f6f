import type { Reads } from "./reads.ts";

/** A place in a contract: one step further in than another. */
export type Place = {
  readonly outer: Place | null;
  /** The name of a field; null: the items of a list, the values of a record. */
  readonly field: string | null;
  /** As people write it: `a.b[]`, with the title of a variant in `<…>`. */
  readonly path: string;
};

/** The root of a context, which is no step. */
export const ROOT: Place = { outer: null, field: null, path: "" };

/** The place of a field. */
export const fieldPlace = (outer: Place, field: string): Place => ({
  outer,
  field,
  path: outer.path === "" ? field : `${outer.path}.${field}`,
});

/** The place of all items (`[]`) or values (`{}`). */
export const itemsPlace = (outer: Place, sign: "[]" | "{}"): Place => ({
  outer,
  field: null,
  path: `${outer.path}${sign}`,
});

/**
 * Whether a template reads the object around a field as a whole, or one further out: then the field belongs to what its
 * callers must give, though the template does not name it.
 */
export function isReadWhole(reads: Reads, place: Place): boolean {
  const steps: Place[] = [];
  for (let at = place; at.outer !== null; at = at.outer) steps.unshift(at);
  let nodes: readonly Reads[] = [reads];
  for (const { field } of steps.slice(0, -1)) {
    if (nodes.some(({ all }) => all)) return true;
    nodes = nodes.flatMap(({ fields, items }) => {
      const named = field === null ? undefined : fields.get(field);
      return [named, items].filter((node) => node !== undefined && node !== null);
    });
  }
  return nodes.some(({ all, items }) => all || items !== null);
}
