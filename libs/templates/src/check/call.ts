import type { Position } from "@incipit/schema";
import type { Call, Expression } from "../ast.ts";
import { HELPERS } from "../helper-table.ts";
import { type Access, extend, lengthOf, stepOn } from "./access.ts";
import { type Checker, type Env, report, typeAt } from "./checker.ts";
import { readField, touchAll, UNKNOWN_VALUE, type Value, valueOf } from "./values.ts";
import { goalOf, inVariants, listAtoms } from "./path-findings.ts";
import { locateLookup, type Scope } from "./scopes.ts";
import {
  type Atom,
  BOOLEANS,
  isList,
  isLoopable,
  isNullish,
  isNumber,
  isPrintable,
  isString,
  STRINGS,
  TEXTS,
  type Type,
  unite,
} from "./types.ts";

/** An argument: what stands there, and what it gives. */
type Argument = { readonly expression: Expression; readonly value: Value };

/** The call in work. */
type Site = { readonly checker: Checker; readonly env: Env; readonly scope: Scope; readonly call: Call };

/** What a call gives. Reports arguments that the helper may not take. */
export function evaluateCall(site: Site, args: readonly Argument[]): Value {
  const { checker, call } = site;
  const [first, second] = args;
  if (first === undefined) return UNKNOWN_VALUE;
  switch (call.helper) {
    case "eq":
    case "ne":
      for (const arg of args) demand(site, arg, (atom) => isPrintable(atom) || isNullish(atom));
      return typed(BOOLEANS);
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      if (second !== undefined) demandOrder(site, first, second);
      return typed(BOOLEANS);
    case "and":
    case "or":
    case "not":
      return typed(BOOLEANS);
    case "length":
      demand(site, first, (atom) => isLoopable(atom) || isString(atom));
      if (first.value.type?.some(({ kind }) => kind === "record" || kind === "object"))
        touchItems(site, first);
      return typed(first.value.type === null ? null : unite(first.value.type.map(lengthOf)));
    case "join":
      return evaluateJoin(site, first, second);
    case "json":
      touchAll(checker, first.value.operand);
      if (second !== undefined) demandWidth(site, second, 10);
      return typed(TEXTS);
    case "default":
      return second === undefined ? UNKNOWN_VALUE : evaluateDefault(site, first, second);
    case "lookup":
      return second === undefined ? UNKNOWN_VALUE : evaluateLookup(site, first, second);
    case "upper":
    case "lower":
      demand(site, first, isString);
      return typed(first.value.type?.every(isText) === true ? TEXTS : STRINGS);
    case "trim":
      demand(site, first, isString);
      return typed(STRINGS);
    case "indent":
      demand(site, first, isString);
      if (second !== undefined) demandWidth(site, second, 64);
      return typed(first.value.type?.every(isText) === true ? TEXTS : STRINGS);
    default:
      return call.helper satisfies never;
  }
}

const typed = (type: Type | null): Value => ({ type, operand: null });

const isText = (atom: Atom): boolean => isString(atom) && !(atom.kind === "literal" && atom.value === "");

/** The place of an argument; null where a helper made it. */
const accessOf = ({ value }: Argument): Access | null =>
  value.operand?.kind === "access" ? value.operand.access : null;

/** Reports an argument that may be what the helper does not take. */
function demand(
  site: Site,
  arg: Argument,
  isTaken: (atom: Atom) => boolean,
  failsAt: Position = arg.expression.position,
): boolean {
  const { checker, env, call } = site;
  const { type } = arg.value;
  const isBad = (atom: Atom) => !isTaken(atom);
  if (!env.reachable || type === null || !type.some(isBad)) return true;
  const { expression } = arg;
  const name = expression.kind === "path" ? `\`${expression.text}\`` : "this argument";
  const goal = goalOf(env, accessOf(arg), isBad);
  const message =
    `\`${call.helper}\` cannot take ${name}, which ${type.every(isBad) ? "is" : "may be"} ` +
    `${listAtoms(type, isBad)}${inVariants(checker, goal)}: ${HELPERS[call.helper].usage} takes ${HELPERS[call.helper].takes}.`;
  const hint = expression.kind === "path" ? hintOfArgument(call, expression.text, type, isTaken) : undefined;
  report(
    checker,
    "argument_type",
    expression.position,
    message,
    hint,
    goal === null ? null : { ...goal, failsAt },
  );
  return false;
}

/** What to do about an argument that may be what its helper does not take. */
function hintOfArgument(
  { helper }: Call,
  text: string,
  type: Type,
  isTaken: (atom: Atom) => boolean,
): string | undefined {
  const there = type.filter((atom) => !isNullish(atom));
  if ((helper === "eq" || helper === "ne") && there.some((atom) => !isPrintable(atom)))
    return `Whether there is one tells {{#if ${text}}}.`;
  if (there.length === type.length || !there.every(isTaken)) return undefined;
  return `Guard it: {{#if ${text}}}…{{/if}}${there.every(isPrintable) ? `, or (default ${text} …)` : ""}.`;
}

/** Two numbers or two strings: the second must be what the first is. */
function demandOrder(site: Site, first: Argument, second: Argument): void {
  if (!demand(site, first, (atom) => isNumber(atom) || isString(atom))) return;
  const { type } = first.value;
  if (type === null) return;
  if (type.every(isNumber)) demand(site, second, isNumber);
  else if (type.every(isString)) demand(site, second, isString);
  // The first may be either: where it is not what the second is, the second is what does not fit.
  else
    demand(
      site,
      first,
      second.value.type?.every(isString) === true ? isString : isNumber,
      second.expression.position,
    );
}

/** A whole number from 0 to `most`. */
function demandWidth(site: Site, arg: Argument, most: number): void {
  demand(
    site,
    arg,
    (atom) =>
      atom.kind === "literal" &&
      typeof atom.value === "number" &&
      Number.isInteger(atom.value) &&
      atom.value >= 0 &&
      atom.value <= most,
  );
}

/** Notes that the items of an argument are there to be counted. */
function touchItems({ checker }: Site, { value }: Argument): void {
  if (value.operand?.kind === "access")
    checker.reads.touch(extend(value.operand.access, { kind: "item", key: "[]" }));
}

function evaluateJoin(site: Site, list: Argument, separator: Argument | undefined): Value {
  const { checker, env } = site;
  touchAll(checker, list.value.operand);
  demand(site, list, isList);
  if (separator !== undefined) demand(site, separator, isString);
  const items = unite((list.value.type ?? []).map((atom) => (atom.kind === "list" ? atom.item() : [])));
  if (env.reachable && items.some((item) => !isPrintable(item))) {
    const { expression } = list;
    const name = expression.kind === "path" ? `\`${expression.text}\`` : "this argument";
    const bad = (atom: Atom) => !isPrintable(atom);
    const place = accessOf(list);
    const item = place === null ? null : extend(place, { kind: "item", key: "[join]" });
    const message = `\`join\` takes a list of strings, numbers and booleans, and an item of ${name} may be ${listAtoms(items, bad)}.`;
    const hint = "Loop over it instead: {{#each …}}{{#unless @first}}, {{/unless}}…{{/each}}.";
    report(checker, "argument_type", expression.position, message, hint, goalOf(env, item, bad));
  }
  return typed(STRINGS);
}

/**
 * A value that a fault made unknown. A template that was accepted once goes on being rendered where it can when its contract
 * has become wider, so that what such a value may hold counts as read.
 */
function unknownOf(checker: Checker, ...from: readonly Argument[]): Value {
  for (const { value } of from) touchAll(checker, value.operand);
  return UNKNOWN_VALUE;
}

/** The first where it is there, else the second. Where the first always is, its place stays known. */
function evaluateDefault({ checker }: Site, first: Argument, second: Argument): Value {
  const { type } = first.value;
  if (type === null || second.value.type === null) return unknownOf(checker, first, second);
  // Read alike before and after a contract lets the first be absent: no more may be asked of callers then.
  touchAll(checker, first.value.operand);
  touchAll(checker, second.value.operand);
  if (!type.some(isNullish)) return first.value;
  return typed(unite([type.filter((atom) => !isNullish(atom)), second.value.type]));
}

function evaluateLookup(site: Site, holder: Argument, key: Argument): Value {
  const { checker, env, scope } = site;
  const { operand } = holder.value;
  const type = holder.value.type;
  if (type === null || key.value.type === null) return unknownOf(checker, holder);
  const holds = demand(site, holder, isLoopable);
  const fits =
    (!type.some(isList) || demand(site, key, isNumber)) &&
    (!type.some(({ kind }) => kind === "record" || kind === "object") || demand(site, key, isString));
  if (!holds || !fits) return unknownOf(checker, holder);
  const { expression } = key;
  // Where no context leads, a name is held to what is written as a path: what a helper gives there may be anything.
  const isHeld = env.reachable || holder.expression.kind === "path";
  if (isHeld && expression.kind === "literal" && operand !== null && typeof expression.value !== "boolean") {
    const name = String(expression.value);
    const from = holder.expression.kind === "path" ? holder.expression.text : "(…)";
    const read = {
      name,
      position: expression.position,
      text: `${from}.${name}`,
      holder: from,
      isFirst: false,
    };
    const field = readField(checker, env, operand, read);
    return valueOf(checker, env, field);
  }
  if (!isKnownKey(site, type, key)) return unknownOf(checker, holder);
  const at = operand === null ? null : locateLookup(scope, operand, expression);
  if (at?.kind === "access") {
    checker.reads.touch(at.access);
    return { type: typeAt(checker, env, at.access), operand: at };
  }
  touchAll(checker, operand);
  return typed(unite(type.map((atom) => stepOn(atom, { kind: "lookup", key: "[]" }))));
}

/** A key into an object must be one of constants that are all its fields: any other string could be none of them. */
function isKnownKey(site: Site, type: Type, key: Argument): boolean {
  const { checker, env } = site;
  const objects = type.filter((atom) => atom.kind === "object");
  if (objects.length === 0 || !env.reachable) return true;
  const isKnown = (atom: Atom) =>
    atom.kind === "literal" && objects.every((object) => object.field(String(atom.value)) !== undefined);
  const keys = key.value.type ?? [];
  if (keys.every(isKnown)) return true;
  const message = "This key may be none of the fields of the object it is looked up in.";
  const hint =
    "Only a record has any names. Write the field's name, or a key that the contract limits to names of fields.";
  const goal = goalOf(env, accessOf(key), (atom) => !isKnown(atom));
  report(checker, "unknown_field", key.expression.position, message, hint, goal);
  return false;
}
