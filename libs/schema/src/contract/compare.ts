import type { Contract, Field, ObjectShape, Shape } from "./contract.ts";
import { describeShape } from "./value-words.ts";

/** One difference: where, and what, as the end of a sentence. */
export type ContractChange = { readonly path: string; readonly message: string };

/** How a contract differs from the one before it. Titles, descriptions and `x-` annotations may change freely. */
export type ContractComparison = {
  /** What may not change: callers or templates rely on it. */
  readonly narrowed: readonly ContractChange[];
  /** What templates must now expect that they did not before: some may no longer pass. */
  readonly widened: readonly ContractChange[];
  /** Fields that are new. No template can read them yet, so that they concern nobody, be they required or not. */
  readonly added: readonly ContractChange[];
};

type Changes = { narrowed: ContractChange[]; widened: ContractChange[]; added: ContractChange[] };

/** Pairs that were compared or are in work: what differs in them is told once, so that recursion ends. */
type Known = Map<Shape, Set<Shape>>;

/**
 * Compares a contract with the one it is to replace. Allowed are additions, and what is widened: a field that may now be
 * left out or null, another member of a union, another variant. Anything else is narrowed.
 */
export function compareContracts(before: Contract, after: Contract): ContractComparison {
  return compareShapes(before.root, after.root, "", new Map());
}

const none = (): Changes => ({ narrowed: [], widened: [], added: [] });

function addAll(to: Changes, from: Changes): void {
  to.narrowed.push(...from.narrowed);
  to.widened.push(...from.widened);
  to.added.push(...from.added);
}

function compareShapes(before: Shape, after: Shape, path: string, known: Known): Changes {
  const pairs = known.get(before) ?? new Set<Shape>();
  known.set(before, pairs);
  if (pairs.has(after)) return none();
  pairs.add(after);
  return compareKinds(before, after, path, known);
}

function compareKinds(before: Shape, after: Shape, path: string, known: Known): Changes {
  if (before.kind === "union" || after.kind === "union")
    return compareMembers(membersOf(before), membersOf(after), path, known);
  const changes = none();
  const narrow = (message: string) => changes.narrowed.push({ path, message });
  const widen = (message: string) => changes.widened.push({ path, message });
  if (before.kind === "literal" && after.kind !== "literal") {
    if (typeof before.value === after.kind && fits(before.value, after))
      widen(`may be any ${after.kind} now`);
    else narrow(`was ${describeShape(before)} and becomes ${describeShape(after)}`);
    return changes;
  }
  if (before.kind === "string" && after.kind === "string") {
    if (after.minLength > before.minLength) narrow(`must have at least ${after.minLength} characters now`);
    if (after.minLength < before.minLength) widen("may be shorter now");
  } else if (before.kind === "number" && after.kind === "number") {
    if (after.integer && !before.integer) narrow("must be a whole number now");
    if (before.integer && !after.integer) widen("need not be a whole number any more");
  } else if (before.kind === "literal" && after.kind === "literal") {
    if (before.value !== after.value)
      narrow(`was ${describeShape(before)} and becomes ${describeShape(after)}`);
  } else if (before.kind === "list" && after.kind === "list") {
    if (after.minItems > before.minItems) narrow(`must have at least ${after.minItems} items now`);
    if (after.minItems < before.minItems) widen("may have fewer items now");
    addAll(changes, compareShapes(before.item, after.item, `${path}[]`, known));
  } else if (before.kind === "record" && after.kind === "record") {
    addAll(changes, compareShapes(before.value, after.value, `${path}{}`, known));
  } else if (before.kind === "object" && after.kind === "object") {
    addAll(changes, compareFields(before, after, path, known));
  } else if (before.kind !== after.kind)
    narrow(`was ${describeShape(before)} and becomes ${describeShape(after)}`);
  return changes;
}

function fits(value: string | number | boolean, shape: Shape): boolean {
  if (shape.kind === "string") return String(value).length >= shape.minLength;
  return shape.kind !== "number" || !shape.integer || Number.isInteger(value);
}

const membersOf = (shape: Shape): readonly Shape[] => (shape.kind === "union" ? shape.members : [shape]);

/**
 * Every member there was must still be one, perhaps wider; members that are new widen. Which member has become which is
 * told by what they look like, before they are compared: no more is compared than is told.
 */
function compareMembers(
  before: readonly Shape[],
  after: readonly Shape[],
  path: string,
  known: Known,
): Changes {
  const changes = none();
  const taken = new Set<Shape>();
  for (const member of before) {
    const score = (other: Shape) => 2 * likeness(member, other) - Number(taken.has(other));
    const [found] = after
      .filter((other) => isAlike(member, other))
      .toSorted((one, other) => score(other) - score(one));
    if (found === undefined) {
      changes.narrowed.push({ path, message: `can no longer be ${nameOf(member)}` });
      continue;
    }
    taken.add(found);
    addAll(changes, compareShapes(member, found, memberPath(path, member), known));
  }
  for (const member of after)
    if (!taken.has(member)) changes.widened.push({ path, message: `can be ${nameOf(member)} now` });
  return changes;
}

/** How much one member looks like another: the fields that objects share, above all those of one constant. */
function likeness(before: Shape, after: Shape): number {
  if (before.kind === "list" && after.kind === "list") return likeness(before.item, after.item);
  if (before.kind === "record" && after.kind === "record") return likeness(before.value, after.value);
  if (before.kind !== "object" || after.kind !== "object") return Number(before.kind === after.kind);
  let shared = 0;
  for (const [name, { shape }] of before.fields) {
    const now = after.fields.get(name)?.shape;
    if (now === undefined) continue;
    shared += 1;
    if (shape.kind === "literal" && now.kind === "literal") shared += shape.value === now.value ? TAG : -TAG;
    else if (shape.kind === now.kind) shared += 1;
  }
  return shared;
}

/** What a shared constant weighs: more than all the fields that an object is likely to have. */
const TAG = 1_000;

const nameOf = (shape: Shape): string =>
  shape.kind === "object" && shape.title !== null ? `"${shape.title}"` : describeShape(shape);

function memberPath(path: string, member: Shape): string {
  return member.kind === "object" && member.title !== null ? `${path}<${member.title}>` : path;
}

/** Whether one member may be what has become of another: objects by their title, if both have one. */
function isAlike(before: Shape, after: Shape): boolean {
  if (before.kind === "object" && after.kind === "object")
    return before.title === null || after.title === null || before.title === after.title;
  if (before.kind === "literal")
    return after.kind === "literal" ? after.value === before.value : typeof before.value === after.kind;
  return before.kind === after.kind;
}

function compareFields(before: ObjectShape, after: ObjectShape, path: string, known: Known): Changes {
  const changes = none();
  for (const [name, field] of before.fields) {
    const at = path === "" ? name : `${path}.${name}`;
    const now = after.fields.get(name);
    if (now === undefined) {
      changes.narrowed.push({
        path: at,
        message: `is removed, or has another name now${hint(field, before, after)}`,
      });
      continue;
    }
    addAll(changes, comparePresence(field, now, at));
    addAll(changes, compareShapes(field.shape, now.shape, at, known));
  }
  for (const name of after.fields.keys())
    if (!before.fields.has(name))
      changes.added.push({ path: path === "" ? name : `${path}.${name}`, message: "is new" });
  return changes;
}

/** The new field that a removed one has likely become: of one name but for case and separators, or the only one of its kind. */
function hint(field: Field, before: ObjectShape, after: ObjectShape): string {
  const fresh = [...after.fields.values()].filter(({ name }) => !before.fields.has(name));
  const alike = fresh.filter(({ shape }) => shape.kind === field.shape.kind);
  const renamed =
    fresh.find(({ name }) => fold(name) === fold(field.name)) ?? (alike.length === 1 ? alike[0] : undefined);
  return renamed === undefined ? "" : `: was it renamed to "${renamed.name}"? Keep it beside the new one`;
}

const fold = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");

/**
 * A default that changes or is taken away where the field must then be given is narrowed. Giving one up for an optional
 * field widens. A first default concerns no template: the field is there more often than before.
 */
function comparePresence(before: Field, now: Field, path: string): Changes {
  const changes = none();
  const hadDefault = before.default !== undefined;
  const hasDefault = now.default !== undefined;
  if (now.required && !before.required) changes.narrowed.push({ path, message: "must be given now" });
  if ((before.required || hadDefault) && !now.required && !hasDefault)
    changes.widened.push({ path, message: "may be absent now" });
  if (hadDefault && hasDefault && JSON.stringify(before.default) !== JSON.stringify(now.default))
    changes.narrowed.push({
      path,
      message: "has another default now, which would change what callers get who leave it out",
    });
  return changes;
}
