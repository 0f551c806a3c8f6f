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
