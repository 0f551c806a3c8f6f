import type { Each, Expression, If, Statement, With } from "./ast.ts";
import { compileExpression } from "./compile-expression.ts";
import { charge, checkOutput, createFrame, type Frame, halt, type State, type Step } from "./run-state.ts";
import { namesOf } from "./record-names.ts";
import { isTruthy } from "./truthiness.ts";
import { describe, isRecord } from "./values.ts";

/** Compiles a body. Blocks are given it, since bodies hold blocks and blocks hold bodies. */
type CompileBody = (body: readonly Statement[]) => Step;

/** `if` and `unless`: no scope of their own. */
export function compileIf(
  { condition, includeZero, negated, body, otherwise }: If,
  compileBody: CompileBody,
): Step {
  const read = compileExpression(condition);
  const [whenTrue, whenFalse] = negated
    ? [compileBody(otherwise), compileBody(body)]
    : [compileBody(body), compileBody(otherwise)];
  return (state, frame) => {
    if (isTruthy(read(state, frame), includeZero)) whenTrue(state, frame);
    else whenFalse(state, frame);
  };
}

/** `with`: a scope for the value, unless it is null, false, "" or an empty list. */
export function compileWith({ value, body, otherwise }: With, compileBody: CompileBody): Step {
  const read = compileExpression(value);
  const inside = compileBody(body);
  const outside = compileBody(otherwise);
  return (state, frame) => {
    const given = read(state, frame);
    if (isTruthy(given, true)) inside(state, createFrame(given, frame));
    else outside(state, frame);
  };
}

/** `each`: one pass for each item of a list, or for each field of a record in the order the context has them. */
export function compileEach({ over, body, otherwise, position }: Each, compileBody: CompileBody): Step {
  const read = compileExpression(over);
  const pass = compileBody(body);
  const empty = compileBody(otherwise);
  return (state, frame) => {
    const given = read(state, frame);
    if (Array.isArray(given)) {
      const items: readonly unknown[] = given;
      const count = items.length;
      if (count === 0) return empty(state, frame);
      const inner = createLoop(frame, count);
      for (let i = 0; i < count; i++) {
        inner.value = items[i];
        inner.index = i;
        inner.key = i;
        charge(state, 1, position);
        pass(state, inner);
        checkOutput(state, position);
      }
      return undefined;
    }
    if (!isRecord(given)) return given === null ? empty(state, frame) : refuseEach(state, over, given);
    const keys = namesOf(state, given, position);
    if (keys.length === 0) return empty(state, frame);
    const inner = createLoop(frame, keys.length);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? "";
      inner.value = given[key];
      inner.index = i;
      inner.key = key;
      charge(state, 1, position);
      pass(state, inner);
      checkOutput(state, position);
    }
    return undefined;
  };
}

const createLoop = (frame: Frame, count: number): Frame => ({
  ...createFrame(undefined, frame),
  last: count - 1,
});

function refuseEach(state: State, over: Expression, value: unknown): never {
  const name = over.kind === "path" ? over.text : "the value";
  return halt(
    state,
    "render_failed",
    over.position,
    `{{#each}} needs a list or a record, and \`${name}\` is ${describe(value)}.`,
    over.kind === "path" ? over.text : undefined,
  );
}
