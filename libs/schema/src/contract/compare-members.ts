import type { Shape } from "./contract.ts";
import { areToldApart } from "./tells-apart.ts";

/** Which member of a union has become which. */
export type Pairing = {
  /** What each member has become; null: it is gone. */
  readonly pairs: readonly { readonly before: Shape; readonly after: Shape | null }[];
  readonly added: readonly Shape[];
  /** Members that another one must not stand before, and that one. */
  readonly displaced: readonly { readonly first: Shape; readonly second: Shape }[];
  /** Members that a constant told apart, and that it does not any more. */
  readonly merged: readonly { readonly one: Shape; readonly other: Shape }[];
};

/**
 * Tells which member has become which by what they look like, before they are compared: no more is compared than is told.
 * Titles may change; what has another title and little in common is another.
 */
export function pairMembers(before: readonly Shape[], after: readonly Shape[]): Pairing {
  const taken = new Map<Shape, number>();
  const titles = { before: titlesOf(before), after: titlesOf(after) };
  const pairs = before.map((member, place) => {
    const found = mostAlike(member, after, (other) => isGone(member, other, titles), taken);
    if (found !== null && !taken.has(found)) taken.set(found, place);
    return { before: member, after: found };
  });
  return {
    pairs,
    added: after.filter((member) => !taken.has(member)),
    displaced: displacedBy(after, taken),
    merged: mergedIn(pairs),
  };
}

function mergedIn(pairs: Pairing["pairs"]): Pairing["merged"] {
  const merged: { one: Shape; other: Shape }[] = [];
  for (const [i, one] of pairs.entries()) {
    if (one.before.kind !== "object" || one.after === null) continue;
    const other = pairs
      .slice(i + 1)
      .find(
        ({ before, after }) =>
          after !== null &&
          one.after !== null &&
          areToldApart(one.before, before) &&
          mayBoth(one.after, after),
      );
    if (other !== undefined) merged.push({ one: one.before, other: other.before });
  }
  return merged;
}

const titleOf = (shape: Shape): string | null => (shape.kind === "object" ? shape.title : null);

/** The members that have a title, by it. */
function titlesOf(members: readonly Shape[]): ReadonlyMap<string, Shape> {
  return new Map(
    members.flatMap((member): [string, Shape][] => {
      const title = titleOf(member);
      return title === null ? [] : [[title, member]];
    }),
  );
}

type Titles = { readonly before: ReadonlyMap<string, Shape>; readonly after: ReadonlyMap<string, Shape> };

/** Whether one member cannot have become another, since one of them goes on, or was there before, under its title. */
function isGone(member: Shape, other: Shape, { before, after }: Titles): boolean {
  const [was, is] = [titleOf(member), titleOf(other)];
  if (was === null || is === null || was === is) return false;
  return after.has(was) || before.has(is);
}

function mostAlike(
  member: Shape,
  after: readonly Shape[],
  isOther: (other: Shape) => boolean,
  taken: ReadonlyMap<Shape, number>,
): Shape | null {
  let best: { readonly shape: Shape; readonly score: number } | null = null;
  for (const other of after) {
    if (isOther(other) || !isAlike(member, other)) continue;
    const score = likeness(member, other) - Number(taken.has(other)) / 2;
    if (best === null || score > best.score) best = { shape: other, score };
  }
  return best?.shape ?? null;
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

const known = new WeakMap<Shape, WeakMap<Shape, number>>();

/** How much one member looks like another: told once, since many unions may have the same members. */
function likeness(before: Shape, after: Shape): number {
  const others = known.get(before) ?? new WeakMap<Shape, number>();
  known.set(before, others);
  const score = others.get(after) ?? measureLikeness(before, after, 0);
  others.set(after, score);
  return score;
}

/** The fields that objects share, above all those of one constant, and the title. */
function measureLikeness(before: Shape, after: Shape, depth: number): number {
  if (depth > DEEPEST) return 0;
  if (before.kind === "list" && after.kind === "list")
    return measureLikeness(before.item, after.item, depth + 1);
  if (before.kind === "record" && after.kind === "record")
    return measureLikeness(before.value, after.value, depth + 1);
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
