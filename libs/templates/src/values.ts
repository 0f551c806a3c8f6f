/** Whether a value is a record: an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own property of a record or a list; `undefined` where there is none. Strings have no fields. */
export function readOwn(holder: unknown, name: string | number): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return undefined;
  // An object is indexed by what it was just asked for; its type does not say so.
  return (holder as Readonly<Record<string | number, unknown>>)[name];
}

/** A value's type, for a message. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "object":
      return "a record";
    case "number":
      return Number.isFinite(value) ? "a number" : "not a finite number";
    default:
      return `a ${typeof value}`;
  }
}
