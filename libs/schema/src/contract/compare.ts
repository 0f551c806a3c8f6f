import type { Json } from "../template.ts";
import { mayBoth, pairMembers } from "./compare-members.ts";
import type { Contract, Field, ObjectShape, Shape } from "./contract.ts";
import { describeShape } from "./value-words.ts";

/** One difference: where, and what, as the end of a sentence. */
export type ContractChange = { readonly path: string; readonly message: string };

/** What only who shows all of an object would notice: `message` goes on from that template's name. */
type ShownChange = ContractChange & { readonly owner: ObjectShape };

/** How a contract differs from the one before it. Titles, descriptions and `x-` annotations may change freely. */
export type ContractComparison = {
  /** What may not change: callers or templates rely on it. */
  readonly narrowed: readonly ContractChange[];
  /** What templates must now expect that they did not before: some may no longer pass. */
  readonly widened: readonly ContractChange[];
  /** Fields that are new: no template can name them yet, but a loop over all of the object meets them. */
  readonly added: readonly ContractChange[];
  /** What may not change where a template that is live shows all of the object. */
  readonly shown: readonly ShownChange[];
};

type Pair = { readonly before: Shape; readonly after: Shape; readonly path: string };

type Comparison = {
  readonly narrowed: ContractChange[];
  readonly widened: ContractChange[];
  readonly added: ContractChange[];
  readonly shown: ShownChange[];
  readonly open: Pair[];
  /** Pairs that are open or done: what differs in them is told once, so that recursion ends. */
  readonly known: Map<Shape, Set<Shape>>;
  count: number;
};

/** Pairs of shapes that are compared: two circles of different lengths have as many as their product. */
const MOST_PAIRS = 100_000;

/**
 * Compares a contract with the one it is to replace. A context that fits the one before, and holds nothing else, renders to
 * the same text by what is not narrowed, as far as its templates still pass and none shows what `shown` lists: by additions, and by
 * what is widened, a field that may now be left out or null, another member of a union, another variant. Anything else
 * is narrowed.
 */
export function compareContracts(before: Contract, after: Contract): ContractComparison {
  const comparison: Comparison = {
    narrowed: [],
    widened: [],
    added: [],
    shown: [],
    open: [],
    known: new Map(),
    count: 0,
  };
  push(comparison, { before: before.root, after: after.root, path: "" });
  // What is compared adds to the list on the way; without recursion, since shapes nest as deep as they like.
  for (const pair of comparison.open) compareKinds(comparison, pair);
  const { narrowed, widened, added, shown } = comparison;
  return { narrowed, widened, added, shown };
}

function push(comparison: Comparison, pair: Pair): void {
  const { known, open } = comparison;
  const { before, after, path } = pair;
  const pairs = known.get(before) ?? new Set<Shape>();
  known.set(before, pairs);
  if (pairs.has(after)) return;
  pairs.add(after);
  comparison.count++;
  if (comparison.count <= MOST_PAIRS) open.push(pair);
  else if (comparison.count === MOST_PAIRS + 1)
    comparison.narrowed.push({ path, message: "differs in too many ways to be compared" });
}

function compareKinds(comparison: Comparison, pair: Pair): void {
  const { before, after, path } = pair;
  const narrow = (message: string) => void comparison.narrowed.push({ path, message });
  const widen = (message: string) => void comparison.widened.push({ path, message });
  if (isUnion(before) || isUnion(after) || isTwo(before, after)) return compareMembers(comparison, pair);
  if (before.kind === "literal") {
    if (after.kind === "literal" && after.value === before.value) return;
    if (typeof before.value === after.kind && fits(before.value, after))
      widen(`may be any ${after.kind} now`);
    else narrow(becomes(before, after));
  } else if (before.kind === "string" && after.kind === "string") {
    if (after.minLength > before.minLength) narrow(`must have at least ${after.minLength} characters now`);
    if (after.minLength < before.minLength) widen("may be shorter now");
  } else if (before.kind === "number" && after.kind === "number") {
    if (after.integer && !before.integer) narrow("must be a whole number now");
    if (before.integer && !after.integer) widen("need not be a whole number any more");
  } else if (before.kind === "list" && after.kind === "list") {
    if (after.minItems > before.minItems) narrow(`must have at least ${after.minItems} items now`);
    if (after.minItems < before.minItems) widen("may have fewer items now");
    push(comparison, { before: before.item, after: after.item, path: `${path}[]` });
  } else if (before.kind === "record" && after.kind === "record")
    push(comparison, { before: before.value, after: after.value, path: `${path}{}` });
  else if (before.kind === "object" && after.kind === "object")
    compareFields(comparison, before, after, path);
  else if (before.kind !== after.kind) narrow(becomes(before, after));
}

const isUnion = ({ kind }: Shape): boolean => kind === "union";

/** A boolean is two constants, and may be written so. */
const isTwo = (before: Shape, after: Shape): boolean =>
  (before.kind === "boolean") !== (after.kind === "boolean") &&
  [before, after].some(({ kind }) => kind === "literal");

const becomes = (before: Shape, after: Shape): string =>
  `was ${describeShape(before)} and becomes ${describeShape(after)}`;

function fits(value: string | number | boolean, shape: Shape): boolean {
  if (shape.kind === "string") return String(value).length >= shape.minLength;
  return shape.kind !== "number" || !shape.integer || Number.isInteger(value);
}

function membersOf(shape: Shape): readonly Shape[] {
  if (shape.kind === "union") return shape.members.flatMap(membersOf);
  return shape.kind === "boolean"
    ? [true, false].map((value): Shape => ({ kind: "literal", value }))
    : [shape];
}

/** Every member there was must still be one, perhaps wider; members that are new widen. */
function compareMembers(comparison: Comparison, { before, after, path }: Pair): void {
  const [were, are] = [membersOf(before), membersOf(after)];
  const { pairs, added, displaced, merged } = pairMembers(were, are);
  for (const { before: member, after: now } of pairs) {
    if (now === null) {
      comparison.narrowed.push({ path, message: `can no longer be ${nameOf(member)}` });
      continue;
    }
    const pair = { before: member, after: now, path: memberPath(path, member) };
    compareMemberFields(comparison, pair, were, are);
    push(comparison, pair);
  }
  for (const { one, other } of merged)
    comparison.narrowed.push({
      path,
      message: `is not told apart from ${nameOf(other)} any more where it is ${nameOf(one)}: keep the constants of one out of the other`,
    });
  for (const { first, second } of displaced)
    comparison.narrowed.push({
      path,
      message: `tries ${nameOf(first)} before ${nameOf(second)} now, and a value that fits both would become the other: keep the order, and put what is new last`,
    });
  for (const member of added) comparison.widened.push({ path, message: `can be ${nameOf(member)} now` });
}

const nameOf = (shape: Shape): string =>
  shape.kind === "object" && shape.title !== null ? `"${shape.title}"` : describeShape(shape);

function memberPath(path: string, member: Shape): string {
  return member.kind === "object" && member.title !== null ? `${path}<${member.title}>` : path;
}

/** What the fields of one member of a union change for the others. */
function compareMemberFields(
  comparison: Comparison,
  { before, after, path: outer }: Pair,
  were: readonly Shape[],
  are: readonly Shape[],
): void {
  if (before.kind !== "object" || after.kind !== "object") return;
  const isElsewhere = (name: string) =>
    were.some((other) => other !== before && other.kind === "object" && other.fields.has(name));
  const isMixed = () => are.some((other) => other !== after && mayBoth(after, other));
  for (const { name, required, default: given } of after.fields.values()) {
    const path = fieldPath(outer, name);
    const was = before.fields.get(name);
    if (was !== undefined) {
      const message =
        "need not be given any more and has a default, so that a value of another member could be taken for this one: leave the default out";
      if (was.required && given !== undefined && isMixed()) comparison.narrowed.push({ path, message });
      continue;
    }
    if (!isElsewhere(name)) {
      const message =
        "must be given now, and a value without it could be taken for another member: make it optional";
      if (required && isMixed()) comparison.narrowed.push({ path, message });
    } else if (required || given !== undefined) {
      const message =
        "is a field of another member already, so that templates may read it, and callers do not give it here: make it optional, without a default";
      comparison.narrowed.push({ path, message });
    } else {
      const message = "is a field of another member already, and can be given here now";
      comparison.widened.push({ path, message });
    }
  }
}

const fieldPath = (outer: string, name: string): string => (outer === "" ? name : `${outer}.${name}`);

function compareFields(comparison: Comparison, before: ObjectShape, after: ObjectShape, outer: string): void {
  const { narrowed, added, shown } = comparison;
  const order = [...after.fields.keys()].filter((name) => before.fields.has(name));
  if ([...before.fields.keys()].filter((name) => after.fields.has(name)).some((name, i) => name !== order[i]))
    shown.push({ path: outer, owner: after, message: "would show the fields in another order" });
  for (const [name, field] of before.fields) {
    const path = fieldPath(outer, name);
    const now = after.fields.get(name);
    if (now === undefined) {
      const message = `is removed, or has another name now${hint(field, before, after)}`;
      narrowed.push({ path, message });
      continue;
    }
    comparePresence(comparison, field, now, path);
    push(comparison, { before: field.shape, after: now.shape, path });
  }
  for (const field of after.fields.values()) {
    const path = fieldPath(outer, field.name);
    if (before.fields.has(field.name)) continue;
    added.push({ path, message: "is new" });
    if (field.default !== undefined)
      shown.push({ path, owner: after, message: "would show the default of a new field" });
    else if (field.required)
      shown.push({
        path,
        owner: after,
        message: "would ask its callers for a new field, who do not give it yet",
      });
  }
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

/** A default is what callers get who leave the field out: it may come with what had to be given, and otherwise stays as it is. */
function comparePresence(comparison: Comparison, before: Field, now: Field, path: string): void {
  const narrow = (message: string) => void comparison.narrowed.push({ path, message });
  const change = ", which would change what callers get who leave it out";
  if (before.required) {
    if (!now.required && now.default === undefined)
      comparison.widened.push({ path, message: "may be absent now" });
  } else if (now.required) narrow("must be given now");
  else if (before.default === undefined) {
    if (now.default !== undefined) narrow(`has a default now${change}`);
  } else if (now.default === undefined) narrow(`has no default any more${change}`);
  else if (sorted(before.default) !== sorted(now.default)) narrow(`has another default now${change}`);
}

/** A value as text, whatever the order of its fields. */
function sorted(value: Json): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
