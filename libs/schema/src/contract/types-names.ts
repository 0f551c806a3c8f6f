import type { Contract, ObjectShape, Shape } from "./contract.ts";
import { innerOf } from "./shapes.ts";
import { groupConstants } from "./types-groups.ts";

/** Names that the types themselves use. */
const BUILT_IN = ["Array", "Record"];

/** Levels of objects that are written into each other: what holds more has a name of its own. */
const DEEPEST = 8;
/** Characters of a type that is written again at each of its places. */
const LONGEST_AGAIN = 80;
const LONGEST_NAME = 100;

/** `groups`: for constants that stand in several unions, the name of all that stand in the same ones. */
export type TypeNames = {
  readonly names: ReadonlyMap<Shape, string>;
  readonly groups: ReadonlyMap<Shape, string>;
};

/**
 * Names for the types of a contract's context: the whole, its variants, and each shape that stands at several places or holds
 * itself, so that the text grows with the number of shapes and not with the number of ways to them. The variants come last.
 */
export function nameTypes({ variants }: Contract, whole: string): TypeNames {
  const names = new Map<Shape, string>();
  const groups = new Map<Shape, string>();
  const counts = new Map<string, number>([...BUILT_IN, whole].map((name) => [name, 1]));
  const give = (shape: Shape, wanted: string, into = names) => {
    let name = wanted;
    let count = counts.get(wanted) ?? 0;
    while (counts.has(name)) name = `${wanted}${++count}`;
    counts.set(wanted, count);
    counts.set(name, Math.max(counts.get(name) ?? 0, 1));
    into.set(shape, name);
    return name;
  };
  // A title is somebody's choice, the name of a place is not: variants come first.
  const [only, more] = variants;
  if (only !== undefined && more === undefined) names.set(only, whole);
  else for (const variant of variants) give(variant, pascal(variant.title ?? "Variant"));
  const graph = walkShapes(variants);
  for (const members of groupsToName(graph)) {
    const [first] = members;
    if (first === undefined) continue;
    const name = give(first, pascal(`${graph.places.get(first) ?? ""} value`), groups);
    for (const member of members) groups.set(member, name);
  }
  for (const shape of shapesToName(graph, variants, groups))
    if (!names.has(shape)) give(shape, pascal(titleOf(shape) ?? graph.places.get(shape) ?? ""));
  const isVariant = ([shape]: [Shape, string]) => variants.some((variant) => variant === shape);
  const ordered = [...names].toSorted((a, b) => Number(isVariant(a)) - Number(isVariant(b)));
  return { names: new Map(ordered), groups };
}

const titleOf = (shape: Shape): string | null => (shape.kind === "object" ? shape.title : null);

type Graph = {
  /** Every shape, with the name of the field it is first met in; those inside of another before it. */
  readonly places: ReadonlyMap<Shape, string>;
  /** Met again inside of themselves: one of each circle. */
  readonly circular: ReadonlySet<Shape>;
  /** Met at another place too. */
  readonly again: ReadonlySet<Shape>;
};

function walkShapes(roots: readonly ObjectShape[]): Graph {
  const places = new Map<Shape, string>();
  const circular = new Set<Shape>();
  const again = new Set<Shape>();
  const path = new Set<Shape>();
  const walk = (shape: Shape, place: string): void => {
    if (path.has(shape)) circular.add(shape);
    else if (places.has(shape)) again.add(shape);
    if (path.has(shape) || places.has(shape)) return;
    path.add(shape);
    for (const [inner, step] of innerOf(shape)) walk(inner, step.startsWith(".") ? step.slice(1) : place);
    path.delete(shape);
    places.set(shape, place);
  };
  for (const root of roots) walk(root, "");
  return { places, circular, again };
}

/** The shapes that have a name of their own for what they are, the inner ones first. */
function shapesToName(
  { places, circular, again }: Graph,
  variants: readonly ObjectShape[],
  groups: ReadonlyMap<Shape, string>,
): ReadonlySet<Shape> {
  const named = new Set<Shape>();
  const whole = new Set<Shape>(variants);
  const extents = new Map<Shape, Extent>();
  for (const shape of places.keys()) {
    const written = new Set(innerOf(shape).map(([one]) => groups.get(one) ?? one));
    const inner = [...written].map((one) => {
      const isNamed = typeof one === "string" || named.has(one) || whole.has(one) || circular.has(one);
      return isNamed ? NAMED : (extents.get(one) ?? NAMED);
    });
    const extent = extentOf(shape, inner);
    extents.set(shape, extent);
    const isLarge = extent.levels > 0 || extent.length > LONGEST_AGAIN;
    if (circular.has(shape) || (again.has(shape) && isLarge) || extent.levels > DEEPEST) named.add(shape);
  }
  return named;
}

/** Constants that are written at several places, and take more than a line together. */
function groupsToName({ places }: Graph): (readonly Shape[])[] {
  return groupConstants(places.keys())
    .filter(({ members, unions }) => {
      const length = members.reduce((sum, one) => sum + lengthOf(one) + SEPARATOR, 0);
      return unions > 1 && members.length > 1 && length > LONGEST_AGAIN;
    })
    .map(({ members }) => members);
}

const lengthOf = (shape: Shape): number =>
  shape.kind === "literal" ? JSON.stringify(shape.value).length : AROUND;

/** How much is written for a shape at its place: levels of objects, and about how many characters where it is one line. */
type Extent = { readonly levels: number; readonly length: number };

const NAMED: Extent = { levels: 0, length: 20 };

function extentOf(shape: Shape, inner: readonly Extent[]): Extent {
  const levels = inner.reduce((most, one) => Math.max(most, one.levels), 0);
  if (shape.kind === "object") return { levels: shape.fields.size === 0 ? 0 : levels + 1, length: 0 };
  return { levels, length: inner.reduce((sum, one) => sum + one.length + SEPARATOR, lengthOf(shape)) };
}

/** Characters around and between the types that a list, a record or a union is made of. */
const AROUND = 10;
const SEPARATOR = 3;

/** A text as the name of a type. */
export function pascal(text: string): string {
  const words = text.split(/[^\p{L}\p{Nd}]+/u).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const whole = /^\p{L}/u.test(name) ? name : `Context${name}`;
  // Half of a character would be no name.
  return whole.slice(0, LONGEST_NAME).replace(/\p{Surrogate}$/u, "");
}
