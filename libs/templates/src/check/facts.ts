import type { Access, AccessStep } from "./access.ts";
import { stepOn } from "./access.ts";
import { type Atom, isNullish, isTruthyAtom, type Type, typeOfLiteral, unite } from "./types.ts";

/** What is known of a value: keeps an atom (perhaps a narrower one) or drops it. */
export type Test = (atom: Atom) => Atom | null;

const keep =
  (holds: (atom: Atom) => boolean): Test =>
  (atom) =>
    holds(atom) ? atom : null;

/** What a condition tells of the value it tests. */
export const TESTS = {
  truthy: keep((atom) => isTruthyAtom(atom, false)),
  falsy: keep((atom) => !isTruthyAtom(atom, false)),
  /** With 0 as true. */
  given: keep((atom) => isTruthyAtom(atom, true)),
  notGiven: keep((atom) => !isTruthyAtom(atom, true)),
  /** Something is looped over. */
  loops: keep(({ kind }) => kind === "list" || kind === "record" || kind === "object"),
  /** There is nothing to loop over. */
  loopsNot: keep(
    (atom) =>
      atom.kind !== "list" &&
      (isNullish(atom) || atom.kind === "emptyList" || atom.kind === "record" || atom.kind === "object"),
  ),
  notNullish: keep((atom) => !isNullish(atom)),
  /** Its `length` is not 0, or is 0. */
  sized: keep((atom) => atom.kind !== "emptyList" && !(atom.kind === "literal" && atom.value === "")),
  unsized: keep(
    (atom) => atom.kind !== "list" && atom.kind !== "text" && !(atom.kind === "literal" && atom.value !== ""),
  ),
} as const;

/** Equal to a constant. A string that may be any becomes this one. */
export function equalTo(value: string | number | boolean | null): Test {
  const [literal] = typeOfLiteral(value);
  return (atom) => {
    if (value === null) return isNullish(atom) ? atom : null;
    if (atom.kind === "literal") return atom.value === value ? atom : null;
    const isOneOf =
      (atom.kind === "text" && typeof value === "string" && value !== "") ||
      (atom.kind === "number" && typeof value === "number" && value !== 0);
    return isOneOf ? (literal ?? null) : null;
  };
}

/** Not equal to a constant. */
export function differentFrom(value: string | number | boolean | null): Test {
  return keep((atom) =>
    value === null ? !isNullish(atom) : !(atom.kind === "literal" && atom.value === value),
  );
}

/** What is known of a value, and of those inside it. Immutable. */
export type Facts = {
  readonly tests: readonly Test[];
  readonly inside: ReadonlyMap<string, { readonly step: AccessStep; readonly facts: Facts }>;
  /** What they leave of atoms that were asked for: unions of objects that hold such unions ask for the same ones over and over. */
  readonly left: WeakMap<Atom, Atom | typeof NONE>;
};

/** Nothing is left of an atom. */
const NONE = Symbol("none");

const NOTHING: Facts = { tests: [], inside: new Map(), left: new WeakMap() };

/** Counts what is looked at. */
export type Work = { work: number };

/** Where nobody counts. */
const uncounted = (): Work => ({ work: 0 });

/** The facts with one more, about the value that the steps lead to. */
export function learn(
  facts: Facts | undefined,
  steps: readonly AccessStep[],
  test: Test,
  counter: Work = uncounted(),
): Facts {
  const { tests, inside } = facts ?? NOTHING;
  const [step, ...rest] = steps;
  counter.work += 1 + tests.length + inside.size + rest.length;
  if (step === undefined) return { tests: [...tests, test], inside, left: new WeakMap() };
  const next = new Map(inside);
  next.set(step.key, { step, facts: learn(inside.get(step.key)?.facts, rest, test, counter) });
  return { tests, inside: next, left: new WeakMap() };
}

/**
 * The atoms of a type that the facts leave. An object stays only if each of its known fields stays possible: that is how
 * `eq kind "a"` tells the members of a union apart.
 */
export function refine(type: Type, facts: Facts | undefined, counter: Work = uncounted()): Type {
  if (facts === undefined) return type;
  counter.work += type.length;
  const left: Atom[] = [];
  for (const atom of type) {
    let kept = facts.left.get(atom);
    if (kept === undefined) {
      kept = refineAtom(atom, facts, counter);
      facts.left.set(atom, kept);
    }
    if (kept !== NONE) left.push(kept);
  }
  return left;
}

function refineAtom(atom: Atom, facts: Facts, counter: Work): Atom | typeof NONE {
  counter.work += 1 + facts.tests.length + facts.inside.size;
  let narrowed: Atom | null = atom;
  for (const test of facts.tests) {
    narrowed = test(narrowed);
    if (narrowed === null) return NONE;
  }
  return isPossible(narrowed, facts, counter) ? narrowed : NONE;
}

function isPossible(atom: Atom, { inside }: Facts, counter: Work): boolean {
  for (const { step, facts } of inside.values()) {
    if (refine(stepOn(atom, step), facts, counter).length === 0) return false;
  }
  return true;
}

/** One way things may be: what is known of each root. Several stand beside each other after an `or`. */
export type World = {
  readonly facts: ReadonlyMap<number, Facts>;
  /** Types found so far, by the key of the way. */
  readonly found: Map<string, Type>;
};

/** A world in which nothing is known. */
export const createWorld = (facts: ReadonlyMap<number, Facts> = new Map()): World => ({
  facts,
  found: new Map(),
});

/** What a value may be in a world. */
export function typeIn(world: World, access: Access, roots: readonly Type[], counter: Work): Type {
  const before = world.found.get(access.key);
  if (before !== undefined) return before;
  let facts = world.facts.get(access.root);
  let type = refine(roots[access.root] ?? [], facts, counter);
  counter.work += type.length + access.steps.length;
  for (const step of access.steps) {
    facts = facts?.inside.get(step.key)?.facts;
    type = refine(unite(type.map((atom) => stepOn(atom, step))), facts, counter);
    counter.work += type.length;
  }
  world.found.set(access.key, type);
  return type;
}
