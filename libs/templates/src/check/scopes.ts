import { LIMITS } from "@incipit/schema";
import type { Expression, Path } from "../ast.ts";
import { type Access, type AccessStep, CONTEXT, extend, fieldStep } from "./access.ts";
import type { Type } from "./types.ts";

/** A value of a template: the way to it; or a partial's context with arguments over it; or nothing is known of it. */
export type Operand =
  { readonly kind: "access"; readonly access: Access } | Overlay | { readonly kind: "unknown" };

/** A partial's context with arguments over it. Equal ones have equal keys, which stay short however deep they nest. */
export type Overlay = {
  readonly kind: "overlay";
  readonly base: Operand;
  readonly fields: ReadonlyMap<string, Operand>;
  readonly key: string;
};

/** A value that a fault made unknown, which was told already; or one deeper than any value. It causes no other fault. */
export const UNKNOWN: Operand = { kind: "unknown" };

/** A scope, as the renderer has one at the same place. */
export type Scope = {
  readonly value: Operand;
  /** What `@key` may be; null outside of loops. */
  readonly key: Type | null;
  readonly outer: Scope | null;
};

/** The scope so many `each` and `with` further out. */
export function climb(scope: Scope, up: number): Scope {
  let found = scope;
  for (let i = 0; i < up && found.outer !== null; i++) found = found.outer;
  return found;
}

/** What a path starts from; null: a loop's variable, which is no place. */
export function startOf(scope: Scope, { start }: Path): Operand | null {
  switch (start.from) {
    case "root":
      return { kind: "access", access: CONTEXT };
    case "scope":
    case "item":
      return climb(scope, start.up).value;
    default:
      return null;
  }
}

/** Steps into a value: as deep as a context is, and below as many objects as partials can lay around it by their arguments. */
const DEEPEST = LIMITS.jsonDepth + LIMITS.includeDepth;

/** The value one step further, without asking whether there is one. No value is so deep that it could lie beyond the limit. */
export function stepFrom(access: Access, step: AccessStep): Operand {
  if (access.steps.length >= DEEPEST) return UNKNOWN;
  return { kind: "access", access: extend(access, step) };
}

function fieldOperand(operand: Operand, name: string): Operand {
  if (operand.kind === "access") return stepFrom(operand.access, fieldStep(name));
  if (operand.kind === "overlay") return operand.fields.get(name) ?? fieldOperand(operand.base, name);
  return UNKNOWN;
}

/** The way to what an expression gives; null where it is no place. The same place, however it is written. */
export function locate(scope: Scope, expression: Expression): Access | null {
  const operand = locateOperand(scope, expression);
  return operand?.kind === "access" ? operand.access : null;
}

function locateOperand(scope: Scope, expression: Expression): Operand | null {
  if (expression.kind === "path") {
    const start = startOf(scope, expression);
    return expression.segments.reduce<Operand | null>(
      (operand, { name }) => (operand === null ? null : fieldOperand(operand, name)),
      start,
    );
  }
  if (expression.kind !== "call" || expression.helper !== "lookup") return null;
  const [holder, key] = expression.args;
  const from = holder === undefined ? null : locateOperand(scope, holder);
  return from === null || key === undefined ? null : locateLookup(scope, from, key);
}

/** Units of a key within another: what is looked up by what was looked up doubles with each. */
const LONGEST_KEY = 1_000;

/** The way on from a holder by the key of a `lookup`; null where the key is no place. */
export function locateLookup(scope: Scope, holder: Operand, key: Expression): Operand | null {
  if (key.kind === "literal" && (typeof key.value === "string" || typeof key.value === "number"))
    return fieldOperand(holder, String(key.value));
  const by = locate(scope, key);
  if (by === null || holder.kind !== "access" || by.key.length > LONGEST_KEY) return null;
  return stepFrom(holder.access, { kind: "lookup", key: `[lookup ${by.key}]` });
}
