import type { Shape } from "./contract.ts";
import { areToldApart } from "./tells-apart.ts";

/** Which member of a union has become which. */
export type Pairing = {
  /** What each member has become; null: it is gone. */
  readonly pairs: readonly { readonly before: Shape; readonly after: Shape | null }[];
  readonly added: readonly Shape[];
  /** Members that another one must not stand before, and that one. */
  readonly displaced: readonly { readonly first: Shape; readonly second: Shape }[];
};

/**
 * Tells which member has become which by what they look like, before they are compared: no more is compared than is told.
 * Titles may change; what has another title and little in common is another.
 */
export function pairMembers(before: readonly Shape[], after: readonly Shape[]): Pairing {
  const taken = new Map<Shape, number>();
  const pairs = before.map((member, place) => {
    const score = (other: Shape) => likeness(member, other) - Number(taken.has(other)) / 2;
    const [found] = after
      .filter((other) => isAlike(member, other))
      .toSorted((one, other) => score(other) - score(one));
    if (found !== undefined && !taken.has(found)) taken.set(found, place);
    return { before: member, after: found ?? null };
  });
  return {
    pairs,
    added: after.filter((member) => !taken.has(member)),
    displaced: displacedBy(after, taken),
  };
}

/**
 * A value that fits two members is the first of them: where no constant tells two apart, the order is part of the contract,
 * and a new one comes last.
 */
function displacedBy(after: readonly Shape[], taken: ReadonlyMap<Shape, number>): Pairing["displaced"] {
  const displaced: { first: Shape; second: Shape }[] = [];
  for (const [i, second] of after.entries()) {
    const place = taken.get(second);
    if (place === undefined) continue;
    const first = after
      .slice(0, i)
      .find((one) => (taken.get(one) ?? Infinity) > place && mayBoth(one, second));
    if (first !== undefined) displaced.push({ first, second });
  }
  return displaced;
}

/** Whether a value could be taken for either. */
export function mayBoth(one: Shape, other: Shape): boolean {
  if (one.kind === "list") return other.kind === "list";
  const isObjects = ({ kind }: Shape) => kind === "object" || kind === "record";
  return isObjects(one) && isObjects(other) && !areToldApart(one, other);
}

/** Levels of lists and records that are looked through: they may hold themselves. */
const DEEPEST = 4;
/** What a shared constant weighs: more than all the fields that an object is likely to have. */
const TAG = 1_000;

/** How much one member looks like another: the fields that objects share, above all those of one constant, and the title. */
function likeness(before: Shape, after: Shape, depth = 0): number {
  if (depth > DEEPEST) return 0;
  if (before.kind === "list" && after.kind === "list") return likeness(before.item, after.item, depth + 1);
  if (before.kind === "record" && after.kind === "record")
    return likeness(before.value, after.value, depth + 1);
  if (before.kind !== "object" || after.kind !== "object") return Number(before.kind === after.kind);
  let shared = before.title !== null && before.title === after.title ? TAG / 2 : 0;
  for (const [name, { shape }] of before.fields) {
    const now = after.fields.get(name)?.shape;
    if (now === undefined) continue;
    shared += 1;
    if (shape.kind === "literal" && now.kind === "literal") shared += shape.value === now.value ? TAG : -TAG;
    else if (shape.kind === now.kind) shared += 1;
  }
  return shared;
}

/** Whether one member may be what has become of another. */
function isAlike(before: Shape, after: Shape): boolean {
  if (before.kind === "literal")
    return after.kind === "literal" ? after.value === before.value : typeof before.value === after.kind;
  if (before.kind !== "object" || after.kind !== "object") return before.kind === after.kind;
  if (before.title === null || after.title === null || before.title === after.title) return true;
  const shared = [...before.fields.keys()].filter((name) => after.fields.has(name)).length;
  return shared * 2 >= before.fields.size;
}
