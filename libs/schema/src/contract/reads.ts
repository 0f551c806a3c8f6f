/**
 * What of a value a template can read, in any branch. A value that is only tested or printed has neither; the value
 * itself is always looked at.
 */
export type Reads = {
  /** All of it, at any depth: `json`, or a value that goes through a helper. */
  readonly all: boolean;
  /** Fields read by name, of objects and of records. */
  readonly fields: ReadonlyMap<string, Reads>;
  /** What is read of every item of a list, or of every value of a record or an object; null: none is looked at. */
  readonly items: Reads | null;
};

/** Everything: what a validator without a template looks at. */
export const READS_ALL: Reads = { all: true, fields: new Map(), items: null };

/** What is read of one field of an object or a record; null: nothing, not even whether it is there. */
export function readsOfField(reads: Reads, name: string): Reads | null {
  if (reads.all) return READS_ALL;
  return mergeReads(reads.fields.get(name) ?? null, reads.items);
}

/** What is read of the items of a list; null: nothing. */
export function readsOfItems(reads: Reads): Reads | null {
  return reads.all ? READS_ALL : reads.items;
}

function mergeReads(a: Reads | null, b: Reads | null): Reads | null {
  if (a === null || b === null || a === b) return a ?? b;
  if (a.all || b.all) return READS_ALL;
  const fields = new Map(a.fields);
  for (const [name, reads] of b.fields)
    fields.set(name, mergeReads(fields.get(name) ?? null, reads) ?? reads);
  return { all: false, fields, items: mergeReads(a.items, b.items) };
}
