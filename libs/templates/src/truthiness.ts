/**
 * Handlebars' truth, in one table for the evaluator and the checker.
 *
 * | value | `if`, `unless`, `and`, `or`, `not` | `if … includeZero=true`, `with` |
 * | --- | --- | --- |
 * | absent, null, false, "", an empty list, NaN | false | false |
 * | 0 | false | true |
 * | any other string, number, list; true; every record, also an empty one | true | true |
 */
export function isTruthy(value: unknown, includeZero = false): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value) || (includeZero && value === 0);
}
