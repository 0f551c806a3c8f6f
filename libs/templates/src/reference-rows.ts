import { type Field, type ObjectShape, type Shape, membersOf, objectsOf } from "@incipit/schema";
import { insideLoop, type Place, showUse } from "./contract-example.ts";
import { tellsApart } from "./contract-shapes.ts";

/** What is done on the way through the fields of an object and of all that is described with it. */
export type Walk = {
  /** `path` is how the reference names the place, with `[]` and `{}` for loops. */
  readonly onField: (field: Field, path: string, example: string) => void;
  /** Where an object stands that has a section of its own. `isTold`: what else there may be is told by the type of the field. */
  readonly onSection: (object: ObjectShape, place: Place, path: string, isTold: boolean) => void;
  readonly sections: ReadonlyMap<ObjectShape, unknown>;
  /** Whether what is described inside of a value is read where that is the current one. */
  readonly isEntered: (shape: Shape) => boolean;
  readonly done: Done;
};

/**
 * What stood at fields before, alone or as part of what is printed as a whole: it leads to the same sections again, and to no
 * rows, since objects at several places have sections.
 */
type Done = { readonly alone: Set<Shape>; readonly whole: Set<Shape> };

export const createDone = (): Done => ({ alone: new Set(), whole: new Set() });

function isDone({ done }: Walk, shape: Shape, { mixed, shapes }: Place): boolean {
  const [first, ...others] = shapes;
  if (mixed === null && (first !== shape || others.length > 0)) return false;
  const met = mixed === null ? done.alone : done.whole;
  const isMet = met.has(shape);
  met.add(shape);
  return isMet;
}

/** Walks the fields of an object that stands at a place, and those of the objects in it, but not into other sections. */
export function walkFields(walk: Walk, owner: ObjectShape, path: string, place: Place): void {
  const tag = place.mixed === null ? tellsApart(owner, place.shapes.flatMap(objectsOf)) : null;
  for (const field of owner.fields.values()) {
    const at = path === "" ? field.name : `${path}.${field.name}`;
    const { example, inside } = showUse(owner, field, place, tag, walk.isEntered(field.shape));
    walk.onField(field, at, example);
    if (!isDone(walk, field.shape, inside))
      walkInside({ ...walk, field, places: [inside], met: [new Set()] }, field.shape, at, 0);
  }
}

/** By the number of loops below the field: the place there, and what was met at it. */
type InsideWalk = Walk & { readonly field: Field; readonly places: Place[]; readonly met: Set<Shape>[] };

function walkInside(walk: InsideWalk, shape: Shape, at: string, loops: number): void {
  const place = placeAt(walk, loops);
  for (const member of membersOf(shape)) {
    const met = (walk.met[loops] ??= new Set());
    if (met.has(member) || (loops > MOST_LOOPS && walk.met.some((others) => others.has(member)))) continue;
    met.add(member);
    if (member.kind === "list") walkInside(walk, member.item, `${at}[]`, loops + 1);
    else if (member.kind === "record") walkInside(walk, member.value, `${at}{}`, loops + 1);
    else if (member.kind === "object" && walk.sections.has(member))
      walk.onSection(member, place, at, isTold(walk));
    else if (member.kind === "object") walkFields(walk, member, at, place);
  }
}

/** Whether the type of the field, or its example, tells all that there may be inside of it. */
const isTold = ({ field, places: [first] }: InsideWalk): boolean =>
  first === undefined || first.mixed !== null || first.shapes.every((shape) => shape === field.shape);

function placeAt({ places }: InsideWalk, loops: number): Place {
  const [first] = places;
  if (first === undefined) throw new Error("there is no place to begin with");
  for (let last = places.at(-1) ?? first; places.length <= loops; last = places.at(-1) ?? last)
    places.push(insideLoop(last));
  return places[loops] ?? first;
}

/** Lists in lists that hold themselves are followed so far. */
const MOST_LOOPS = 6;
