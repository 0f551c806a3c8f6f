import type { ContractDocument, DocumentNode } from "@incipit/schema";
import type { Expression, Include, Path, Statement } from "./ast.ts";
import type { LinkedTemplate } from "./link-template.ts";
import type { Unit } from "./run-state.ts";

/** What is seen of one value: how it is used, and what is read of it. */
type Seen = {
  readonly fields: Map<string, Seen>;
  items: Seen | null;
  isPrinted: boolean;
  isTested: boolean;
  isNumber: boolean;
  /** Constants it is compared with. */
  readonly constants: Set<string>;
};

const createSeen = (): Seen => ({
  fields: new Map(),
  items: null,
  isPrinted: false,
  isTested: false,
  isNumber: false,
  constants: new Set(),
});

/** A scope: what is current in it; null where a helper made the value, or a key is meant. */
type Scope = { readonly value: Seen | null; readonly outer: Scope | null };

/** What a partial's arguments are, by name. */
type Overlay = ReadonlyMap<string, Seen | null>;

/** Includes that are followed one below the other: a linked template has no more. */
type Walk = { readonly root: Seen; readonly unit: Unit; readonly overlay: Overlay | null };

/**
 * Proposes a contract for what a template and its partials read: printed values as strings, looped ones as lists, what stands
 * behind a guard as optional. A proposal to be read and corrected: every description is still to be written.
 */
export function inferContract({ root }: LinkedTemplate): ContractDocument {
  const context = createSeen();
  const scope: Scope = { value: context, outer: null };
  walkBody({ root: context, unit: root, overlay: null }, scope, root.parsed.body);
  return objectNode(context);
}

function walkBody(walk: Walk, scope: Scope, body: readonly Statement[]): void {
  for (const statement of body) walkStatement(walk, scope, statement);
}

function walkStatement(walk: Walk, scope: Scope, statement: Statement): void {
  switch (statement.kind) {
    case "slot": {
      const seen = fieldOf(scope.value, statement.name);
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
      const value = list === null ? null : (list.items ??= createSeen());
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
  walkBody(
    { root: walk.root, unit, overlay: overlay.size === 0 ? null : overlay },
    { value, outer: null },
    unit.parsed.body,
  );
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
        ? fieldOf(first, key.value)
        : (first.items ??= createSeen());
    case "join":
      if (first !== null && first !== undefined) (first.items ??= createSeen()).isPrinted = true;
      return null;
    case "default":
      if (first !== null && first !== undefined) first.isTested = true;
      return first ?? null;
    case "eq":
    case "ne":
      noteConstant(first, args[1]);
      noteConstant(second, args[0]);
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

function noteConstant(seen: Seen | null | undefined, constant: Expression | undefined): void {
  if (seen === null || seen === undefined || constant?.kind !== "literal") return;
  if (typeof constant.value === "string") seen.constants.add(constant.value);
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
    const isOfPartial = found.outer === null && walk.overlay !== null && first !== undefined;
    if (isOfPartial && walk.overlay.has(first.name)) {
      value = walk.overlay.get(first.name) ?? null;
      rest = segments.slice(1);
    }
  }
  for (const { name } of rest) {
    if (name === "length" || /^\d+$/.test(name)) {
      if (value !== null)
        value = name === "length" ? ((value.items ??= createSeen()), null) : (value.items ??= createSeen());
      continue;
    }
    value = fieldOf(value, name);
  }
  return value;
}

function fieldOf(value: Seen | null, name: string): Seen | null {
  if (value === null) return null;
  const field = value.fields.get(name) ?? createSeen();
  value.fields.set(name, field);
  return field;
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

function node(seen: Seen): DocumentNode {
  const { fields, items, isNumber, constants } = seen;
  if (fields.size > 0) return objectNode(seen);
  if (items !== null) return { type: "array", items: node(items) };
  if (isNumber) return { type: "number" };
  if (constants.size > 1) return { enum: [...constants].toSorted() };
  return isFlag(seen) ? { type: "boolean" } : { type: "string" };
}
