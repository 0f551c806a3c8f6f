import type { Call, Expression } from "../ast.ts";
import type { Access } from "./access.ts";
import { assumeTest, type Checker, type Env, isTooMuch, typeAt, uniteEnvs, unreachable } from "./checker.ts";
import { differentFrom, equalTo, type Test, TESTS } from "./facts.ts";
import { locate, type Scope } from "./scopes.ts";
import { isTruthyAtom, typeOfLiteral } from "./types.ts";

/** Where the walk stands once a condition has come out true, or false. It must have been evaluated before. */
export function assume(
  checker: Checker,
  env: Env,
  scope: Scope,
  condition: Expression,
  isTrue: boolean,
  includeZero: boolean,
): Env {
  // A check that gives up refuses, whatever is known.
  if (!env.reachable || isTooMuch(checker, 0)) return env;
  if (condition.kind === "literal") {
    const is = typeOfLiteral(condition.value).some((atom) => isTruthyAtom(atom, includeZero));
    return is === isTrue ? env : unreachable();
  }
  if (condition.kind === "call" && condition.helper !== "lookup")
    return assumeCall(checker, env, scope, condition, isTrue, includeZero);
  const access = locate(scope, condition);
  if (access === null) return env;
  const test = includeZero ? (isTrue ? TESTS.given : TESTS.notGiven) : isTrue ? TESTS.truthy : TESTS.falsy;
  return assumeTest(checker, env, access, test);
}

function assumeCall(
  checker: Checker,
  env: Env,
  scope: Scope,
  call: Call,
  isTrue: boolean,
  includeZero: boolean,
): Env {
  const { helper, args } = call;
  const [first, second] = args;
  if (first === undefined) return env;
  switch (helper) {
    case "not":
      return assume(checker, env, scope, first, !isTrue, false);
    case "and":
    case "or":
      return assumeAll(checker, env, scope, args, isTrue, helper === "and");
    case "eq":
    case "ne":
      return second === undefined
        ? env
        : assumeEqual(checker, env, scope, call, isTrue === (helper === "eq"));
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return assumeLength(checker, env, scope, call, isTrue);
    case "length":
      // With 0 as true, every length is.
      if (includeZero) return isTrue ? env : unreachable();
      return assumeSize(checker, env, locate(scope, first), isTrue);
    case "default": {
      if (second === undefined) return env;
      // Either the first is there and decides, or it is not and the second does.
      const given = assumeIs(checker, env, scope, first, { value: null }, false);
      const not = assumeIs(checker, env, scope, first, { value: null }, true);
      return uniteEnvs(env, [
        assume(checker, given, scope, first, isTrue, includeZero),
        assume(checker, not, scope, second, isTrue, includeZero),
      ]);
    }
    default:
      return env;
  }
}

/** `and` is true, or `or` is false, where each is; else there is a first that is not, and each such way is one of its own. */
function assumeAll(
  checker: Checker,
  env: Env,
  scope: Scope,
  args: readonly Expression[],
  isTrue: boolean,
  isAnd: boolean,
): Env {
  const ways: Env[] = [];
  let so = env;
  for (const arg of args) {
    ways.push(assume(checker, so, scope, arg, !isAnd, false));
    so = assume(checker, so, scope, arg, isAnd, false);
  }
  return isTrue === isAnd ? so : uniteEnvs(env, ways);
}

function assumeEqual(checker: Checker, env: Env, scope: Scope, call: Call, isEqual: boolean): Env {
  const [a, b] = call.args;
  if (a === undefined || b === undefined) return env;
  if (a.kind === "call" || b.kind === "call") {
    const sized = assumeLength(checker, env, scope, call, isEqual === (call.helper === "eq"));
    if (sized !== env) return sized;
  }
  const left = assumeIs(checker, env, scope, a, constantOf(checker, env, scope, b), isEqual);
  return assumeIs(checker, left, scope, b, constantOf(checker, env, scope, a), isEqual);
}

type Constant = { readonly value: string | number | boolean | null } | null;

/** The one value an expression has, if it has one. */
function constantOf(checker: Checker, env: Env, scope: Scope, expression: Expression): Constant {
  if (expression.kind === "literal") return { value: expression.value };
  const access = locate(scope, expression);
  const [only, more] = access === null ? [] : typeAt(checker, env, access);
  if (only === undefined || more !== undefined) return null;
  if (only.kind === "null" || only.kind === "absent") return { value: null };
  return only.kind === "literal" ? { value: only.value } : null;
}

function assumeIs(
  checker: Checker,
  env: Env,
  scope: Scope,
  expression: Expression,
  constant: Constant,
  isEqual: boolean,
): Env {
  if (constant === null) return env;
  const { value } = constant;
  if (expression.kind === "literal") return (expression.value === value) === isEqual ? env : unreachable();
  const access = locate(scope, expression);
  if (access === null) return env;
  return assumeTest(checker, env, access, isEqual ? equalTo(value) : differentFrom(value));
}

const OPPOSITE = { lt: "gt", lte: "gte", gt: "lt", gte: "lte", eq: "eq", ne: "ne" } as const;
type Comparison = keyof typeof OPPOSITE;

const COMPARE: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
};

/** `gt (length xs) 0` and its like tell whether a list is empty. */
function assumeLength(checker: Checker, env: Env, scope: Scope, call: Call, isTrue: boolean): Env {
  const helper = call.helper as Comparison;
  const [a, b] = call.args;
  if (a === undefined || b === undefined) return env;
  const [measured, bound, compare] =
    b.kind === "literal"
      ? [a, b.value, COMPARE[helper]]
      : [b, a.kind === "literal" ? a.value : null, COMPARE[OPPOSITE[helper]]];
  if (typeof bound !== "number") return env;
  const access = lengthAccess(scope, measured);
  if (access === null) return env;
  const near = [1, 2, Math.floor(bound) - 1, Math.floor(bound), Math.ceil(bound), Math.ceil(bound) + 1, 1e9];
  const mayBeEmpty = compare(0, bound) === isTrue;
  const mayBeMore = near.some((length) => length >= 1 && compare(length, bound) === isTrue);
  if (mayBeEmpty && mayBeMore) return env;
  if (!mayBeEmpty && !mayBeMore) return unreachable();
  return assumeSize(checker, env, access, mayBeMore);
}

/** What `(length xs)` measures. */
function lengthAccess(scope: Scope, measured: Expression): Access | null {
  if (measured.kind !== "call" || measured.helper !== "length") return null;
  const [of] = measured.args;
  return of === undefined ? null : locate(scope, of);
}

function assumeSize(checker: Checker, env: Env, access: Access | null, isSized: boolean): Env {
  const test: Test = isSized ? TESTS.sized : TESTS.unsized;
  return access === null ? env : assumeTest(checker, env, access, test);
}
