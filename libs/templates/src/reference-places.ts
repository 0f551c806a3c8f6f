import { type Contract, type ObjectShape, type Shape, objectsOf } from "@incipit/schema";
import { currentPlace, type Place, showEntry } from "./contract-example.ts";
import { createDone, walkFields } from "./reference-rows.ts";
import { compareShapes } from "./shape-classes.ts";

/** A section of a reference: an object, read as the current value. */
export type Section = {
  readonly object: ObjectShape;
  readonly name: string;
  /** What may stand where the object does: what its examples must be right for. */
  readonly shapes: Set<Shape>;
  /** The first way to it. */
  way: Way | null;
  /** Times that more was found to stand at its places. Beyond `MOST_ROUNDS` its examples take whatever may. */
  rounds: number;
};

/** Unions of many objects that each hold such unions again find more in each round. */
const MOST_ROUNDS = 8;

/** `text`: what a template writes in the section `of`, or at the root of the context, to have the object as the current value. */
type Way = { readonly text: string; readonly of: Section | null; readonly place: Place };

/** Where everything that has a table is read: the variants, and the sections in their order. */
export type Layout = {
  readonly root: Place;
  readonly sections: readonly Section[];
  readonly placeOf: (section: Section) => Place;
};

/** Finds the ways to the objects that have a section, and what may stand at all their places. */
export function layOut(
  { root: context, variants }: Contract,
  names: ReadonlyMap<ObjectShape, string>,
  isEntered: (shape: Shape) => boolean,
): Layout {
  const alike = compareShapes(context);
  const root = currentPlace([context], alike);
  const sections = new Map(
    [...names].map(([object, name]): [ObjectShape, Section] => [
      object,
      { object, name, shapes: new Set(), way: null, rounds: 0 },
    ]),
  );
  const placeOf = ({ object, shapes, way, rounds }: Section): Place => {
    if (way !== null && way.place.mixed !== null) return way.place;
    if (rounds > MOST_ROUNDS) return { ...currentPlace([object], alike), mixed: "this" };
    return currentPlace([...shapes], alike);
  };
  const known = new Set<Shape>([context, ...variants]);
  /** What is described well by the table of its variant. */
  const isTold = ({ object, shapes }: Section) =>
    variants.includes(object) && [...shapes].every((shape) => known.has(shape));

  /** Goes through the tables, and the sections that are reached, each as often as it is asked for. */
  const go = (
    starts: Iterable<Section | null>,
    note: (section: Section, place: Place, of: Section | null) => boolean,
  ) => {
    const open = new Set(starts);
    const done = createDone();
    for (const of of open) {
      open.delete(of);
      const walk = {
        sections,
        isEntered,
        done,
        onField: () => {},
        onSection: (object: ObjectShape, place: Place) => {
          const section = sections.get(object);
          if (section !== undefined && note(section, place, of) && !isTold(section)) open.add(section);
        },
      };
      if (of !== null) walkFields(walk, of.object, "", placeOf(of));
      else for (const variant of variants) walkFields(walk, variant, "", root);
    }
  };

  // What stands at the places of one may be more, where more stands at those of the section around it.
  go([null], (section, place) => {
    const { shapes } = section;
    if (place.mixed !== null || section.rounds > MOST_ROUNDS) return false;
    const before = shapes.size;
    for (const shape of place.shapes) if (objectsOf(shape).length > 0) shapes.add(shape);
    if (shapes.size === before) return false;
    section.rounds++;
    return true;
  });
  const find = (section: Section, place: Place, of: Section | null) => {
    if (section.way !== null || isTold(section)) return false;
    section.way = { text: showEntry(place), of, place };
    return true;
  };
  go([null], (section, place, of) => place.mixed === null && find(section, place, of));
  // The rest stands only where no template can look into it.
  go(
    [null, ...sections.values()].filter((of) => of === null || of.way !== null),
    find,
  );
  return { root, sections: [...sections.values()].filter((section) => !isTold(section)), placeOf };
}
