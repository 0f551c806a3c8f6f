import { type Shape, innerOf, reachableFrom } from "@incipit/schema";

/** Whether the same can be read of two shapes. */
export type Alike = (one: Shape, other: Shape) => boolean;

/**
 * Tells which shapes of a contract are alike: all at once, when it is first asked, since comparing two by walking both takes
 * as many looks as there are pairs.
 */
export function compareShapes(root: Shape): Alike {
  let classes: ReadonlyMap<Shape, number> | null = null;
  return (one, other) => {
    if (one === other) return true;
    classes ??= classify(root);
    return classes.get(one) === classes.get(other);
  };
}

/** Begins with what each shape is by itself, and parts those whose inner shapes are apart until none is parted any more. */
function classify(root: Shape): ReadonlyMap<Shape, number> {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const shapes = reachableFrom([root]).map((shape) => {
    const inner = shape.kind === "object" ? innerOf(shape).toSorted(byStep) : innerOf(shape);
    const own = numberOf([shape.kind, ...inner.map(([, step]) => step)].join(" "));
    return { shape, own, inner: inner.map(([one]) => one) };
  });
  let classes = new Map<Shape, number>(shapes.map(({ shape, own }) => [shape, own]));
  for (let before = 0, count = new Set(classes.values()).size; count > before;) {
    const keys = new Map<string, number>();
    const next = new Map<Shape, number>();
    for (const { shape, own, inner } of shapes) {
      const key = [own, ...inner.map((one) => classes.get(one))].join(" ");
      const number = keys.get(key) ?? keys.size;
      keys.set(key, number);
      next.set(shape, number);
    }
    classes = next;
    [before, count] = [count, keys.size];
  }
  return classes;
}

const byStep = ([, one]: readonly [Shape, string], [, other]: readonly [Shape, string]): number =>
  one < other ? -1 : 1;
