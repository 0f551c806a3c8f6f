import type { Position } from "@incipit/schema";
import type { Each, If, Include, Print, Slot, Statement, With } from "../ast.ts";
import type { Access } from "./access.ts";
import {
  assumeTest,
  type Checker,
  type Env,
  isTooMuch,
  report,
  typeAt,
  unreachable,
  warn,
} from "./checker.ts";
import { assume } from "./condition.ts";
import { evaluate } from "./expression.ts";
import { placeOf, readField, type Value, valueOf } from "./values.ts";
import { TESTS } from "./facts.ts";
import { goalOf, inVariants, listAtoms } from "./path-findings.ts";
import { type Operand, type Scope, stepFrom, UNKNOWN } from "./scopes.ts";
import { type Atom, isLoopable, isNullish, isPrintable, NUMBERS, TEXTS, type Type, unite } from "./types.ts";

/** Walks a body: every branch, with what is known there. */
export function walkBody(checker: Checker, env: Env, scope: Scope, body: readonly Statement[]): void {
  checker.depth++;
  for (const statement of body) {
    if (isTooMuch(checker, 1)) break;
    walkStatement(checker, env, scope, statement);
  }
  checker.depth--;
}

function walkStatement(checker: Checker, env: Env, scope: Scope, statement: Statement): void {
  switch (statement.kind) {
    case "text":
    case "breakpoint":
      return;
    case "print":
      return walkPrint(checker, env, scope, statement);
    case "slot":
      return walkSlot(checker, env, scope, statement);
    case "if":
      return walkIf(checker, env, scope, statement);
    case "each":
      return walkEach(checker, env, scope, statement);
    case "with":
      return walkWith(checker, env, scope, statement);
    case "include":
      return walkInclude(checker, env, scope, statement);
    default:
      return statement satisfies never;
  }
}

const isNotPrintable = (atom: Atom): boolean => !isPrintable(atom);

function walkPrint(checker: Checker, env: Env, scope: Scope, { value }: Print): void {
  const { type, operand } = evaluate(checker, env, scope, value);
  if (!env.reachable || type === null) return;
  const name = value.kind === "path" ? value.text : `(${value.helper} …)`;
  const place = operand?.kind === "access" ? operand.access : null;
  if (type.some(isNullish)) {
    const goal = goalOf(env, place, isNullish);
    const always = type.every(isNullish);
    const message = `\`${name}\` ${always ? "is" : "may be"} ${listAtoms(type, isNullish)}${always ? " here" : inVariants(checker, goal)}, and cannot be printed then.`;
    const hint = hintOfNull(value, type);
    report(checker, "null_printed", value.position, message, hint, goal);
  }
  const isWhole = (atom: Atom) => isNotPrintable(atom) && !isNullish(atom);
  const whole = type.filter(isWhole);
  if (whole.length === 0) return;
  const message = `\`${name}\` ${type.every((atom) => whole.includes(atom)) ? "is" : "may be"} ${listAtoms(whole, () => true)}, and cannot be printed.`;
  const goal = goalOf(env, place, isWhole);
  report(checker, "not_printable", value.position, message, instead(name, whole), goal);
}

/** How a value that may be null is printed all the same; a fallback is for what can be printed. */
function hintOfNull(value: Print["value"], type: Type): string {
  const isText = type.every((atom) => isPrintable(atom) || isNullish(atom));
  if (type.every(isNullish))
    return "Here it never is there: what stands around this leads to contexts that do not have it.";
  if (value.kind !== "path") return 'Give a fallback: {{default (…) "…"}}.';
  return `Guard it: {{#if ${value.text}}}…{{/if}}${isText ? `, or {{default ${value.text} "…"}}` : ""}.`;
}

const SHOWN_FIELDS = 5;

function instead(name: string, type: Type): string {
  const [first] = type;
  if (first?.kind === "object") {
    const fields = [...first.names()].slice(0, SHOWN_FIELDS).join(", ");
    return `Print one of its fields (${fields}), or {{json ${name}}}.`;
  }
  return `Loop over it: {{#each ${name}}}…{{/each}}, or {{json ${name}}}.`;
}

/** A slot has no guard: what it names must always be there. */
function walkSlot(checker: Checker, env: Env, scope: Scope, { name, position }: Slot): void {
  const read = { name, position, text: name, holder: "", isFirst: true };
  const { type, operand } = valueOf(checker, env, readField(checker, env, scope.value, read));
  if (type === null || !env.reachable || type.every(isPrintable)) return;
  const goal = goalOf(env, operand?.kind === "access" ? operand.access : null, isNotPrintable);
  const message = `The slot {${name}} ${type.some(isPrintable) ? "may be" : "is"} ${listAtoms(type, isNotPrintable)}${inVariants(checker, goal)}, and takes a string, a number or a boolean.`;
  const hint = type.every((atom) => isPrintable(atom) || isNullish(atom))
    ? "Slots have no guards: give the field a default in the contract, or write the template in Handlebars."
    : "Slots name fields of the context alone: write the template in Handlebars to look into them.";
  report(checker, type.some(isNullish) ? "null_printed" : "not_printable", position, message, hint, goal);
}

function walkIf(checker: Checker, env: Env, scope: Scope, statement: If): void {
  const { condition, includeZero, negated, body, otherwise, position } = statement;
  evaluate(checker, env, scope, condition);
  const whenTrue = assume(checker, env, scope, condition, true, includeZero);
  const whenFalse = assume(checker, env, scope, condition, false, includeZero);
  const [first, second] = negated ? [whenFalse, whenTrue] : [whenTrue, whenFalse];
  const branch = branchesOf(checker, env, position, "block");
  branch("body", first, scope, body);
  branch("else", second, scope, otherwise);
}

/** Walks the branches of a block, and warns of one that nothing leads to though something leads to the block. */
function branchesOf(checker: Checker, before: Env, position: Position, block: "block" | "loop") {
  return (which: "body" | "else", env: Env, scope: Scope, body: readonly Statement[]): void => {
    if (before.reachable && !env.reachable && body.length > 0) {
      const what = which === "body" ? "The body" : "The else branch";
      const message = `${what} of this ${block} can never be reached: no context that the contract allows leads there.`;
      warn(checker, "unreachable", position, message);
    }
    walkBody(checker, env, scope, body);
  };
}

function walkWith(
  checker: Checker,
  env: Env,
  scope: Scope,
  { value, body, otherwise, position }: With,
): void {
  const given = evaluate(checker, env, scope, value);
  const inner = (operand: Operand): Scope => ({ value: operand, key: null, outer: scope });
  if (given.operand?.kind === "overlay") {
    // Arguments make a record, which is always there.
    walkBody(checker, env, inner(given.operand), body);
    return walkBody(checker, unreachable(), scope, otherwise);
  }
  const place = placeOf(checker, given);
  if (place === null) {
    walkBody(checker, env, inner(UNKNOWN), body);
    return walkBody(checker, env, scope, otherwise);
  }
  // What a helper gives tells something of its arguments too.
  const told = (isTrue: boolean) =>
    value.kind === "call" ? assume(checker, env, scope, value, isTrue, true) : env;
  const inside = assumeTest(checker, told(true), place, TESTS.given);
  const outside = assumeTest(checker, told(false), place, TESTS.notGiven);
  const branch = branchesOf(checker, env, position, "block");
  branch("body", inside, inner({ kind: "access", access: place }), body);
  branch("else", outside, scope, otherwise);
}

function walkEach(checker: Checker, env: Env, scope: Scope, statement: Each): void {
  const { over, body, otherwise, position } = statement;
  const given = evaluate(checker, env, scope, over);
  const place = placeOf(checker, given);
  if (place === null) {
    walkBody(checker, env, { value: UNKNOWN, key: null, outer: scope }, body);
    return walkBody(checker, env, scope, otherwise);
  }
  const type = given.type ?? [];
  const isBad = (atom: Atom) => !isLoopable(atom) && !isNullish(atom);
  if (env.reachable && type.some(isBad)) {
    const name = over.kind === "path" ? `\`${over.text}\`` : "this value";
    const message = `{{#each}} needs a list or a record, and ${name} ${type.every(isBad) ? "is" : "may be"} ${listAtoms(type, isBad)}.`;
    const goal = goalOf(env, given.operand?.kind === "access" ? place : null, isBad);
    report(checker, "not_iterable", over.position, message, undefined, goal);
  }
  const inside = assumeTest(checker, env, place, TESTS.loops);
  const outside = assumeTest(checker, env, place, TESTS.loopsNot);
  const item = stepFrom(place, { kind: "item", key: `[each ${checker.loops++}]` });
  if (item.kind === "access") checker.reads.touch(item.access);
  const loop: Scope = {
    value: item,
    key: keyType(checker, inside, place),
    outer: scope,
  };
  const branch = branchesOf(checker, env, position, "loop");
  branch("body", inside, loop, body);
  branch("else", outside, scope, otherwise);
}

function keyType(checker: Checker, env: Env, place: Access): Type {
  const type = typeAt(checker, env, place);
  const isNamed = ({ kind }: Atom) => kind === "record" || kind === "object";
  if (type.length === 0) return unite([NUMBERS, TEXTS]);
  const names: Type = [...TEXTS, { kind: "literal", value: "" }];
  return unite([type.some(isNamed) ? names : [], type.some((atom) => !isNamed(atom)) ? NUMBERS : []]);
}

/** A partial is walked at each place that includes it, with what is known there and with what it is given. */
function walkInclude(checker: Checker, env: Env, scope: Scope, include: Include): void {
  const base =
    include.context === null
      ? valueOf(checker, env, scope.value)
      : evaluate(checker, env, scope, include.context);
  const fields = new Map(
    include.fields.map(({ name, value }) => [name, operandOf(checker, evaluate(checker, env, scope, value))]),
  );
  const from = operandOf(checker, base);
  const value: Operand = fields.size === 0 ? from : overlay(checker, from, fields);
  const unit = checker.units.at(-1)?.targets[include.index];
  if (unit === undefined) throw new Error(`the include of "${include.key}" is not linked`);
  const given = keyOf(value);
  const before = checker.walked.get(unit) ?? [];
  if (before.some((walk) => walk.env === env && walk.given === given)) return;
  checker.walked.set(unit, [...before, { env, given }]);
  checker.units.push(unit);
  walkBody(checker, env, { value, key: null, outer: null }, unit.parsed.body);
  checker.units.pop();
}

function operandOf(checker: Checker, value: Value): Operand {
  if (value.operand?.kind === "overlay") return value.operand;
  const place = placeOf(checker, value);
  return place === null ? UNKNOWN : { kind: "access", access: place };
}

function overlay(checker: Checker, base: Operand, fields: ReadonlyMap<string, Operand>): Operand {
  const given = [...fields].map(([name, field]) => `${JSON.stringify(name)}=${keyOf(field)}`);
  const whole = `${keyOf(base)}{${given.join(",")}}`;
  const { overlays } = checker;
  const key = overlays.get(whole) ?? `<${overlays.size}>`;
  overlays.set(whole, key);
  return { kind: "overlay", base, fields, key };
}

function keyOf(operand: Operand): string {
  if (operand.kind === "access") return operand.access.key;
  return operand.kind === "unknown" ? "?" : operand.key;
}
