import { type ErrorCode, LIMITS, type Position, problem, type Problem } from "@incipit/schema";
import type { Include, ParsedTemplate } from "./ast.ts";
import { clip } from "./clip.ts";

/**
 * What a scope is at run time, linked to the one around it. One record serves all passes of a loop: it is changed
 * between them, never kept.
 */
export type Frame = {
  value: unknown;
  readonly up: Frame | null;
  /** The number of the pass, its index or key, and the number of the last pass. */
  index: number;
  key: string | number;
  readonly last: number;
};

/** One statement, compiled: appends to the text of the state. */
export type Step = (state: State, frame: Frame) => void;

/** One expression, compiled. Never gives `undefined`: what is missing halts. */
export type Read = (state: State, frame: Frame) => unknown;

/** A template in its place among those it includes. */
export type Unit = {
  readonly key: string;
  readonly parsed: ParsedTemplate;
  readonly run: Step;
  /** By the number of the include. */
  readonly targets: readonly Unit[];
};

/** One render while it runs. */
export type State = {
  text: string;
  steps: number;
  readonly root: unknown;
  /** The names of the records that were asked for them: each is asked once. */
  readonly names: Map<object, readonly string[]>;
  /** The template that is running, and the includes that led to it. */
  unit: Unit;
  call: IncludeCall | null;
  breakpoint: number | null;
};

/** An include that is running. */
type IncludeCall = {
  readonly unit: Unit;
  readonly include: Include;
  readonly outer: IncludeCall | null;
};

/** Ends a render with a refusal; `render` turns it into a value. */
export class Halt extends Error {
  readonly problem: Problem;
  constructor(refusal: Problem) {
    super(refusal.message);
    this.problem = refusal;
  }
}

/** A frame that is no pass of a loop. */
export function createFrame(value: unknown, up: Frame | null): Frame {
  return { value, up, index: 0, key: 0, last: 0 };
}

/** Characters of a message, of the includes in it, and of a path: names in them come from bodies and values. */
const LONGEST_MESSAGE = 1_000;
const LONGEST_PATH = 200;

/**
 * Ends the render. The problem carries the `path` at fault, the place, and inside a partial its key and the includes
 * that led there.
 */
export function halt(state: State, code: ErrorCode, at: Position, message: string, path?: string): never {
  const { line, column } = at;
  let key = state.unit.key;
  let chain = "";
  for (let call = state.call; call !== null; call = call.outer) {
    const { line: l, column: c } = call.include.position;
    key = call.unit.key;
    chain += `${chain === "" ? ` In partial "${state.unit.key}"` : ""}, included by "${key}" at ${l}:${c}`;
  }
  const partial = state.call === null ? {} : { partial: state.unit.key };
  const includes = chain === "" ? "" : clip(`${chain}.`, LONGEST_MESSAGE);
  throw new Halt(
    problem(code, clip(message, LONGEST_MESSAGE) + includes, {
      key,
      ...partial,
      ...(path === undefined ? {} : { path: clip(path, LONGEST_PATH) }),
      line,
      column,
    }),
  );
}

/**
 * Counts work, before it is done: 1 for a statement, a pass or an argument, and 1 for about half a microsecond of what a
 * helper does with a long text or a large record, so that no steps within the limit take longer than a quarter of a
 * second.
 */
export function charge(state: State, steps: number, at: Position): void {
  state.steps += steps;
  if (state.steps > LIMITS.steps) haltSteps(state, at);
}

function haltSteps(state: State, at: Position): never {
  const message = `The render takes more than ${LIMITS.steps} steps (limit "steps"). Loop over less.`;
  return halt(state, "limit_exceeded", at, message);
}

/** Ends a render whose text became too long. A UTF-16 unit takes at least one byte, so its length alone can tell. */
export function checkOutput(state: State, at: Position): void {
  if (state.text.length > LIMITS.outputBytes) haltOutput(state, at);
}

/** Ends a render whose text, or a helper's, is over the limit. */
export function haltOutput(state: State, at: Position): never {
  return halt(state, "limit_exceeded", at, OUTPUT_MESSAGE);
}

/** The message of that limit. */
export const OUTPUT_MESSAGE = `The text is larger than ${LIMITS.outputBytes} bytes (limit "outputBytes"). Print less.`;
