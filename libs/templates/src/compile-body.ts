import { LIMITS } from "@incipit/schema";
import type { ParsedTemplate, Path, Call, Print, Statement } from "./ast.ts";
import { compileEach, compileIf, compileWith } from "./compile-block.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileInclude } from "./compile-include.ts";
import { ownFieldOf, readField } from "./compile-path.ts";
import { compileSlots } from "./compile-slots.ts";
import { charge, checkOutput, halt, type State, type Step } from "./run-state.ts";
import { describe, isRecord, readOwn } from "./values.ts";

const NOTHING: Step = () => undefined;

/** Compiles a body to one closure that runs its statements in order, and counts them. */
function compileBody(body: readonly Statement[]): Step {
  const first = body[0];
  if (first === undefined) return NOTHING;
  const steps = compileSteps(body);
  const count = body.length;
  const { position } = first;
  // Without a loop for the bodies that blocks mostly have: 3 to 8 % of a small template's time.
  const [a, b, c] = steps;
  if (a !== undefined && b === undefined) {
    return (state, frame) => {
      charge(state, count, position);
      a(state, frame);
    };
  }
  if (a !== undefined && b !== undefined && c === undefined) {
    return (state, frame) => {
      charge(state, count, position);
      a(state, frame);
      b(state, frame);
    };
  }
  return (state, frame) => {
    charge(state, count, position);
    for (let i = 0; i < steps.length; i++) steps[i]?.(state, frame);
  };
}

/** A text and the field printed after it, the most usual pair, become one closure: 3 to 12 % of a render's time. */
function compileSteps(body: readonly Statement[]): readonly Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < body.length; i++) {
    const statement = body[i];
    const next = body[i + 1];
    if (statement === undefined) continue;
    if (statement.kind === "text" && next?.kind === "print") {
      steps.push(compilePrint(next, statement.text));
      i++;
    } else steps.push(compileStatement(statement));
  }
  return steps;
}

function compileStatement(statement: Statement): Step {
  switch (statement.kind) {
    case "text": {
      const { text } = statement;
      return (state) => {
        state.text += text;
      };
    }
    case "print":
      return compilePrint(statement, "");
    case "if":
      return compileIf(statement, compileBody);
    case "each":
      return compileEach(statement, compileBody);
    case "with":
      return compileWith(statement, compileBody);
    case "include":
      return compileInclude(statement);
    case "breakpoint":
      return (state) => {
        state.breakpoint = state.text.length;
      };
    case "slot":
      return compileSlots([statement]);
    default:
      return statement satisfies never;
  }
}

/** The two most usual kinds, a field of the current value and any other, differ by a call: 3 to 7 % of a render's time. */
function compilePrint({ value, position }: Print, before: string): Step {
  const name = value.kind === "path" ? ownFieldOf(value) : undefined;
  if (name !== undefined && value.kind === "path") {
    return (state, frame) => {
      const printed = readOwn(frame.value, name) ?? readField(state, value, name, frame.value);
      const text = typeof printed === "string" ? printed : printScalar(state, value, printed);
      if (before !== "") state.text += before;
      state.text += text;
      if (state.text.length > LIMITS.outputBytes) checkOutput(state, position);
    };
  }
  const read = compileExpression(value);
  return (state, frame) => {
    const printed = read(state, frame);
    const text = typeof printed === "string" ? printed : printScalar(state, value, printed);
    if (before !== "") state.text += before;
    state.text += text;
    if (state.text.length > LIMITS.outputBytes) checkOutput(state, position);
  };
}

function printScalar(state: State, source: Path | Call, value: unknown): string {
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return String(value);
  const name = source.kind === "path" ? source.text : `(${source.helper} …)`;
  if (value === undefined) {
    return halt(state, "field_missing", source.position, `\`${name}\` is not in the context.`, name);
  }
  const message = `\`${name}\` is ${describe(value)} and cannot be printed. ${printInstead(name, value)}`;
  return halt(state, "render_failed", source.position, message, name);
}

const SHOWN_FIELDS = 5;

function printInstead(name: string, value: unknown): string {
  if (value === null) return `Guard it: {{#if ${name}}}…{{/if}}, or {{default ${name} "…"}}.`;
  if (Array.isArray(value))
    return `Loop over it: {{#each ${name}}}…{{/each}}, or {{join ${name}}}, or {{json ${name}}}.`;
  if (!isRecord(value)) return "Give a string, a number or a boolean.";
  const fields = Object.keys(value)
    .slice(0, SHOWN_FIELDS)
    .map((field) => field.slice(0, 50));
  return `Print one of its fields${fields.length > 0 ? ` (${fields.join(", ")})` : ""}, or {{json ${name}}}.`;
}

const compiled = new WeakMap<ParsedTemplate, Step>();

/** Compiles a template, once for as long as it is kept. The closures hold no state and fit every place it stands in. */
export function compileTemplate(parsed: ParsedTemplate): Step {
  let step = compiled.get(parsed);
  if (step === undefined) {
    step = parsed.syntax === "slots" ? compileSlots(parsed.body) : compileBody(parsed.body);
    compiled.set(parsed, step);
  }
  return step;
}
