/**
 * Whether every string of a JSON value is well-formed UTF-16. A lone surrogate has no UTF-8, so what was stored would not
 * be what was sent.
 */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, field]) => isWellFormed(name) && isWellFormed(field));
}
