import { type Contract, type ObjectShape, type Shape, innerOf, membersOf } from "@incipit/schema";
import { clip } from "./clip.ts";

/** Headings that a reference has of its own. */
const OWN_HEADINGS = ["Fields", "Guards", "Helpers", "Limits"];

/** Levels and characters of a path that are written out: what lies deeper has a section of its own. */
const DEEPEST = 6;
const LONGEST_PATH = 200;
const LONGEST_NAME = 100;

/**
 * The objects that are described in a section of their own, with its heading: those that stand at several places, hold
 * themselves or lie deep. A reference so grows with the objects of a contract and not with the ways to them.
 */
export function nameSections({ variants }: Contract): ReadonlyMap<ObjectShape, string> {
  const { paths, shared } = findShared(variants);
  addDeep(variants, shared);
  const names = new Map<ObjectShape, string>();
  const counts = new Map<string, number>(OWN_HEADINGS.map((heading) => [heading, 1]));
  for (const [shape, path] of paths) {
    if (shape.kind !== "object" || !shared.has(shape)) continue;
    const wanted = clip((shape.title ?? path.slice(1)).replaceAll(/\s+/g, " "), LONGEST_NAME);
    let name = wanted;
    let count = counts.get(wanted) ?? 0;
    while (counts.has(name)) name = `${wanted} (${++count})`;
    counts.set(wanted, Math.max(count, 1));
    counts.set(name, 1);
    names.set(shape, name);
  }
  return names;
}

/** Every shape with the path to where it is first met, and the objects that are met again. */
function findShared(variants: readonly ObjectShape[]) {
  const paths = new Map<Shape, string>();
  const shared = new Set<ObjectShape>();
  const again = new Set<Shape>();
  /** Whatever stands at several places, so does all in it that is no object's. */
  const share = (shape: Shape): void => {
    if (shape.kind === "object") {
      if (shape.fields.size > 0) shared.add(shape);
    } else if (!again.has(shape)) {
      again.add(shape);
      for (const [inner] of innerOf(shape)) share(inner);
    }
  };
  const walk = (shape: Shape, path: string): void => {
    if (paths.has(shape)) return share(shape);
    paths.set(shape, path);
    for (const [inner, step] of innerOf(shape)) walk(inner, path + step);
  };
  for (const variant of variants) walk(variant, "");
  return { paths, shared };
}

/** Adds the objects that lie too deep below one that has a section, or a table, of its own. */
function addDeep(variants: readonly ObjectShape[], named: Set<ObjectShape>): void {
  const starts = new Set([...variants, ...named]);
  const seen = new Set<Shape>();
  const walk = (shape: Shape, depth: number, length: number): void => {
    if (seen.has(shape)) return;
    seen.add(shape);
    for (const member of membersOf(shape)) {
      if (member.kind !== "object") {
        for (const [inner, step] of innerOf(member)) walk(inner, depth + 1, length + step.length);
      } else if (starts.has(member)) continue;
      else if (depth > DEEPEST || length > LONGEST_PATH) {
        if (member.fields.size > 0) named.add(member);
        starts.add(member);
      } else walkFields(member, depth, length);
    }
  };
  const walkFields = ({ fields }: ObjectShape, depth: number, length: number): void => {
    for (const { name, shape } of fields.values()) walk(shape, depth + 1, length + name.length + 1);
  };
  for (const start of starts) walkFields(start, 0, 0);
}

/**
 * Tells whether what is described inside of a value is read where that is the current one: an object that has a section, or
 * whatever is in a list or record.
 */
export function createEntered(names: ReadonlyMap<ObjectShape, string>): (shape: Shape) => boolean {
  const known = new Map<Shape, boolean>();
  return (shape) => {
    const before = known.get(shape);
    if (before !== undefined) return before;
    const found = new Set(membersOf(shape));
    for (const one of found) if (one.kind !== "object") for (const [inner] of innerOf(one)) found.add(inner);
    const own = new Set(membersOf(shape));
    const isEntered = [...found].some((one) => one.kind === "object" && (names.has(one) || !own.has(one)));
    known.set(shape, isEntered);
    return isEntered;
  };
}
