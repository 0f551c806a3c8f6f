import type { Position } from "@incipit/schema";
import type { Expression, Path } from "../ast.ts";
import { evaluateCall } from "./call.ts";
import type { Checker, Env } from "./checker.ts";
import { refuseScalar } from "./path-findings.ts";
import { climb, type Scope, startOf } from "./scopes.ts";
import { BOOLEANS, NUMBERS, type Type, typeOfLiteral } from "./types.ts";
import { readField, UNKNOWN_VALUE, type Value, valueOf } from "./values.ts";

/** Walks an expression: reports what could go wrong in it, and tells what it gives. */
export function evaluate(checker: Checker, env: Env, scope: Scope, expression: Expression): Value {
  switch (expression.kind) {
    case "literal":
      return { type: typeOfLiteral(expression.value), operand: null };
    case "path":
      return evaluatePath(checker, env, scope, expression);
    case "call":
      return evaluateCall(
        { checker, env, scope, call: expression },
        // All arguments as they stand: all are evaluated before the helper runs.
        expression.args.map((arg) => ({ expression: arg, value: evaluate(checker, env, scope, arg) })),
      );
    default:
      return expression satisfies never;
  }
}

function evaluatePath(checker: Checker, env: Env, scope: Scope, path: Path): Value {
  let operand = startOf(scope, path);
  if (operand === null) return evaluateVariable(checker, env, scope, path);
  for (const [i, { name, position }] of path.segments.entries()) {
    const holder = holderOf(path, position);
    operand = readField(checker, env, operand, { name, position, text: path.text, holder, isFirst: i === 0 });
    if (operand.kind === "unknown") return UNKNOWN_VALUE;
  }
  return valueOf(checker, env, operand);
}

/** What stands in a path before a name of it. */
function holderOf({ text, position: from }: Path, { line, column }: Position): string {
  return line === from.line ? text.slice(0, column - from.column).replace(/[./[]+$/, "") : text;
}

/** A loop's variable: a string, a number or a boolean, in which nothing can be read. */
function evaluateVariable(checker: Checker, env: Env, scope: Scope, path: Path): Value {
  const type = typeOfVariable(scope, path);
  const [first] = path.segments;
  if (first === undefined || type === null) return { type, operand: null };
  if (env.reachable)
    refuseScalar(checker, env, null, type, {
      ...first,
      text: path.text,
      holder: holderOf(path, first.position),
      isFirst: false,
    });
  return UNKNOWN_VALUE;
}

function typeOfVariable(scope: Scope, { start }: Path): Type | null {
  if (start.from === "key") return climb(scope, start.up).key;
  if (start.from !== "loop") return null;
  if (start.variable === "key") return climb(scope, start.up).key;
  return start.variable === "index" ? NUMBERS : BOOLEANS;
}
