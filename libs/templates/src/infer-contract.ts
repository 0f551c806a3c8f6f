import type { ContractDocument, DocumentNode } from "@incipit/schema";
import type { Expression, Include, Path, Statement } from "./ast.ts";
import type { LinkedTemplate } from "./link-template.ts";
import type { Unit } from "./run-state.ts";
import { createContext, fieldOf, itemsOf, noteConstant, type Room, type Seen } from "./seen-values.ts";

/** A scope: what is current in it; null where a helper made the value, or a key is meant. */
type Scope = { readonly value: Seen | null; readonly outer: Scope | null };

/** What a partial's arguments are, by name. */
type Overlay = ReadonlyMap<string, Seen | null>;

/** One template of those linked, with the context it is given. */
type Visit = { readonly unit: Unit; readonly value: Seen | null; readonly overlay: Overlay };

type Walk = Visit & { readonly root: Seen; readonly room: Room; readonly visits: Visits };

/** What is to be walked, each once: a partial that is given the same again reads the same. */
type Visits = { readonly pending: Visit[]; readonly met: Map<Unit, Set<string>>; parts: number };

/**
 * Parts of templates that are looked at, over all contexts they are given: ten times the most that one template has.
 * Includes that come to more than that are not followed.
 */
const MOST_PARTS = 500_000;

/**
 * Proposes a contract for what a template and its partials read: printed values as strings, looped ones as lists, what stands
 * behind a guard as optional. A proposal to be read and corrected: every description is still to be written. It is within the
 * limits of a contract, and leaves out what is over them.
 */
export function inferContract({ root }: LinkedTemplate): ContractDocument {
  const { context, room } = createContext();
  const visits: Visits = { pending: [], met: new Map(), parts: 0 };
  visit(visits, { unit: root, value: context, overlay: new Map() });
  for (const next of visits.pending) {
    const scope: Scope = { value: next.value, outer: null };
    walkBody({ ...next, root: context, room, visits }, scope, next.unit.parsed.body);
    if (visits.parts > MOST_PARTS) break;
  }
  return objectNode(context);
}

function visit(visits: Visits, next: Visit): void {
  const given = [...next.overlay].map(([name, value]) => `${JSON.stringify(name)}=${value?.id ?? ""}`);
  const key = [next.value?.id ?? "", ...given.toSorted()].join(" ");
  const met = visits.met.get(next.unit) ?? new Set();
  visits.met.set(next.unit, met);
  if (met.has(key)) return;
  met.add(key);
  visits.pending.push(next);
}

function walkBody(walk: Walk, scope: Scope, body: readonly Statement[]): void {
  for (const statement of body) walkStatement(walk, scope, statement);
}

function walkStatement(walk: Walk, scope: Scope, statement: Statement): void {
  walk.visits.parts++;
  switch (statement.kind) {
    case "slot": {
      const seen = fieldOf(walk.room, scope.value, statement.name);
      if (seen !== null) seen.isPrinted = true;
      return;
    }
    case "print": {
      const seen = read(walk, scope, statement.value);
      if (seen !== null) seen.isPrinted = true;
      return;
    }
    case "if":
      test(walk, scope, statement.condition);
      walkBody(walk, scope, statement.body);
      return walkBody(walk, scope, statement.otherwise);
    case "each": {
      const list = read(walk, scope, statement.over);
      const value = itemsOf(walk.room, list);
      walkBody(walk, { value, outer: scope }, statement.body);
      return walkBody(walk, scope, statement.otherwise);
    }
    case "with": {
      const value = read(walk, scope, statement.value);
      if (value !== null) value.isTested = true;
      walkBody(walk, { value, outer: scope }, statement.body);
      return walkBody(walk, scope, statement.otherwise);
    }
    case "include":
      return walkInclude(walk, scope, statement);
    default:
      return;
  }
}

function walkInclude(walk: Walk, scope: Scope, include: Include): void {
  const value = include.context === null ? scope.value : read(walk, scope, include.context);
  const overlay = new Map(include.fields.map((field) => [field.name, read(walk, scope, field.value)]));
  const unit = walk.unit.targets[include.index];
  if (unit === undefined) throw new Error(`the include of "${include.key}" is not linked`);
  visit(walk.visits, { unit, value, overlay });
}

/** A condition: what it names may be missing. */
function test(walk: Walk, scope: Scope, condition: Expression): void {
  const seen = read(walk, scope, condition);
  if (seen !== null) seen.isTested = true;
  if (condition.kind === "call" && ["and", "or", "not"].includes(condition.helper))
    for (const arg of condition.args) if (arg.kind === "path") test(walk, scope, arg);
}

/** Notes what an expression reads, and gives the value it stands for in the context, if it stands for one. */
function read(walk: Walk, scope: Scope, expression: Expression): Seen | null {
  walk.visits.parts++;
  if (expression.kind === "literal") return null;
  if (expression.kind === "path") return readPath(walk, scope, expression);
  const { helper, args } = expression;
  const seen = args.map((arg) => read(walk, scope, arg));
  const [first, second] = seen;
  const [, key] = args;
  switch (helper) {
    case "lookup":
      if (first === null || first === undefined) return null;
      return key?.kind === "literal" && typeof key.value === "string"
        ? fieldOf(walk.room, first, key.value)
        : itemsOf(walk.room, first);
    case "join":
      noteItemsPrinted(walk, first ?? null);
      return null;
    case "default":
      if (first !== null && first !== undefined) first.isTested = true;
      return first ?? null;
    case "eq":
    case "ne":
      compare(walk, first, args[1]);
      compare(walk, second, args[0]);
      return null;
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      for (const one of seen) if (one !== null) one.isNumber = true;
      return null;
    case "upper":
    case "lower":
    case "trim":
    case "indent":
      if (first !== null && first !== undefined) first.isPrinted = true;
      return null;
    default:
      return null;
  }
}

function noteItemsPrinted(walk: Walk, list: Seen | null): void {
  const items = itemsOf(walk.room, list);
  if (items !== null) items.isPrinted = true;
}

function compare(walk: Walk, seen: Seen | null | undefined, constant: Expression | undefined): void {
  if (seen === null || seen === undefined || constant?.kind !== "literal") return;
  if (typeof constant.value === "string") noteConstant(walk.room, seen, constant.value);
  else if (typeof constant.value === "number") seen.isNumber = true;
  else if (constant.value === null) seen.isTested = true;
}

function readPath(walk: Walk, scope: Scope, { start, segments }: Path): Seen | null {
  if (start.from === "key" || start.from === "loop") return null;
  let rest = segments;
  let value: Seen | null;
  if (start.from === "root") value = walk.root;
  else {
    let found = scope;
    for (let i = 0; i < start.up && found.outer !== null; i++) found = found.outer;
    value = found.value;
    const [first] = segments;
    const isOfPartial = found.outer === null && first !== undefined;
    if (isOfPartial && walk.overlay.has(first.name)) {
      value = walk.overlay.get(first.name) ?? null;
      rest = segments.slice(1);
    }
  }
  walk.visits.parts += rest.length;
  for (const { name } of rest) {
    if (name === "length" || /^\d+$/.test(name)) {
      const items = itemsOf(walk.room, value);
      value = name === "length" ? null : items;
      continue;
    }
    value = fieldOf(walk.room, value, name);
  }
  return value;
}

function objectNode(seen: Seen): ContractDocument {
  const fields = [...seen.fields];
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { description: `TODO: say what ${name} holds.`, ...node(field) }]),
    ),
    required: fields.filter(([, field]) => !field.isTested || isFlag(field)).map(([name]) => name),
  };
}

/** Only ever asked whether it is true. */
const isFlag = ({ fields, items, isPrinted, isTested, isNumber, constants }: Seen): boolean =>
  isTested && fields.size === 0 && items === null && !isPrinted && !isNumber && constants.size === 0;

/** Values of an enum. */
const MOST_VALUES = 500;

function node(seen: Seen): DocumentNode {
  const { fields, items, isNumber, constants } = seen;
  if (fields.size > 0) return objectNode(seen);
  if (items !== null) return { type: "array", items: node(items) };
  if (isNumber) return { type: "number" };
  if (constants.size > 1 && constants.size <= MOST_VALUES) return { enum: [...constants].toSorted() };
  return isFlag(seen) ? { type: "boolean" } : { type: "string" };
}
