import type { Call } from "./ast.ts";
import { HELPERS } from "./helper-table.ts";
import { halt, type State } from "./run-state.ts";
import { describe } from "./values.ts";

const ORDINALS = ["first", "second"];

/** Halts on an argument a helper does not take, at the argument's place. `wanted` says what it takes there. */
export function refuseArgument(
  state: State,
  call: Call,
  index: number,
  value: unknown,
  wanted: string,
): never {
  const arg = call.args[index];
  const given = arg?.kind === "path" ? `\`${arg.text}\`` : `the ${ORDINALS[index] ?? ""} argument`;
  const guard =
    value === null && arg?.kind === "path"
      ? ` Guard it: {{#if ${arg.text}}}, or (default ${arg.text} …).`
      : "";
  const message =
    `\`${call.helper}\` needs ${wanted}, and ${given} is ${describe(value)}: ` +
    `${HELPERS[call.helper].usage} takes ${HELPERS[call.helper].takes}.${guard}`;
  return halt(
    state,
    "render_failed",
    arg?.position ?? call.position,
    message,
    arg?.kind === "path" ? arg.text : undefined,
  );
}
