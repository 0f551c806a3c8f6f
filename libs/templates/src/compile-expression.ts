import type { Call, Expression } from "./ast.ts";
import { compilePath } from "./compile-path.ts";
import { HELPER_FUNCTIONS } from "./helper-functions.ts";
import { charge, type Read } from "./run-state.ts";

/** Compiles an expression to a closure. */
export function compileExpression(expression: Expression): Read {
  switch (expression.kind) {
    case "path":
      return compilePath(expression);
    case "literal": {
      const { value } = expression;
      return () => value;
    }
    case "call":
      return compileCall(expression);
    default:
      return expression satisfies never;
  }
}

/** All arguments are evaluated, in order, before the helper runs. */
function compileCall(call: Call): Read {
  const run = HELPER_FUNCTIONS[call.helper];
  const args = call.args.map(compileExpression);
  const steps = 1 + args.length;
  const { position } = call;
  return (state, frame) => {
    charge(state, steps, position);
    return run(
      state,
      call,
      args.map((read) => read(state, frame)),
    );
  };
}
