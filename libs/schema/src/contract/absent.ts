/** What a validated value knows about the fields it does not have. */
const ABSENT = Symbol("incipit.absent");

/**
 * Marks what a contract's validator made: reading one of `names` that is not there gives null to a template, where any
 * other name is a mistake. `any`: every name of a record, every index of a list.
 */
export function markAbsent(prototypeOrValue: object, names: ReadonlySet<string> | "any"): void {
  Object.defineProperty(prototypeOrValue, ABSENT, { value: names });
}

/** Whether a field that a value does not have may be read as null: its contract allows it to be absent. */
export function mayBeAbsent(holder: unknown, name: string | number): boolean {
  if (typeof holder !== "object" || holder === null) return false;
  const names = (holder as { [ABSENT]?: ReadonlySet<string> | "any" })[ABSENT];
  if (names === "any") return typeof name === "number" || !Array.isArray(holder) || /^\d+$/.test(name);
  return names?.has(String(name)) ?? false;
}
