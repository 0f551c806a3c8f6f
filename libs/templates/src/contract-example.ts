import type { Field, ObjectShape, Shape } from "@incipit/schema";
import { isNullable, membersOf, objectsOf, tellsApart, usesOf, areAlike } from "./contract-shapes.ts";

/** Where a field stands: what is written to reach it from the innermost loop around it, and what may stand there. */
export type Place = {
  /** The path from there; `""` is the current value. */
  readonly path: string;
  /** Conditions that must hold before it can be looked into, outermost first. */
  readonly guards: readonly string[];
  /** The value around it that cannot be looked into, since it may be of another kind: `json` alone takes it. */
  readonly mixed: string | null;
  /** What stands there, one for each context that the guards do not tell apart. */
  readonly shapes: readonly Shape[];
};

/** The root of a context. */
export const rootPlace = (root: Shape): Place => ({ path: "", guards: [], mixed: null, shapes: [root] });

const below = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** How a field is used, with the guards it needs, and where what is inside of it stands. */
export function showUse(owner: ObjectShape, field: Field, place: Place): { example: string; inside: Place } {
  if (place.mixed !== null) return showWhole(place, place.mixed);
  const tag = tellsApart(owner, place.shapes.flatMap(objectsOf));
  const all = look(place.shapes, field.name);
  const told = look([owner], field.name);
  const isTrouble = all.isUnknown || all.uses.size > 1;
  const tagged = tag === null ? place.guards : [...place.guards, conditionOf(tag, place.path)];
  const here = isTrouble && tag !== null ? { ...told, guards: tagged } : { ...all, guards: place.guards };
  if (here.isUnknown) return showWhole(place, place.path === "" ? "this" : place.path);
  const path = below(place.path, field.name);
  if (here.uses.size > 1) return showWhole({ ...place, guards: here.guards }, path);
  // What is inside may need to be told apart where the field itself does not.
  const within =
    tag === null || all.shapes.every((shape) => areAlike(shape, field.shape))
      ? here
      : { ...told, guards: tagged };
  const guarded = here.isSure ? here.guards : [...here.guards, path];
  const inside: Place = {
    path,
    guards: within.isSure ? within.guards : [...within.guards, path],
    mixed: null,
    shapes: within.shapes,
  };
  const [use] = here.uses;
  if (use === "list") return { example: wrap(here.guards, `{{#each ${path}}}…{{/each}}`), inside };
  if (use === "record") return { example: wrap(guarded, `{{#each ${path}}}{{@key}}…{{/each}}`), inside };
  if (use === "object") return { example: wrap(here.guards, `{{#with ${path}}}…{{/with}}`), inside };
  const isFlag = membersOf(field.shape).every(({ kind }) => kind === "boolean" || kind === "null");
  return {
    example: isFlag ? wrap(here.guards, `{{#if ${path}}}…{{/if}}`) : wrap(guarded, `{{${path}}}`),
    inside,
  };
}

/** The place of the items of a list, or the values of a record, that stands at a place. */
export function insideLoop(place: Place): Place {
  if (place.mixed !== null) return place;
  const shapes = place.shapes.flatMap(membersOf).flatMap((shape) => {
    if (shape.kind === "list") return [shape.item];
    return shape.kind === "record" ? [shape.value] : [];
  });
  const isMixed = new Set(shapes.flatMap(usesOf)).size > 1;
  return {
    path: "",
    guards: shapes.some(isNullable) ? ["this"] : [],
    mixed: isMixed ? "this" : null,
    shapes,
  };
}

/** What a path of one more name reads in each of the shapes. A name that none of an union's objects lists is unknown. */
function look(shapes: readonly Shape[], name: string) {
  const found = shapes.map((shape) => objectsOf(shape).map(({ fields }) => fields.get(name)));
  const fields = found.flat().filter((field) => field !== undefined);
  return {
    isUnknown: found.some((group) => group.every((field) => field === undefined)),
    isSure: found.flat().every((field) => field !== undefined && !isMaybe(field)),
    uses: new Set(fields.flatMap(({ shape }) => usesOf(shape))),
    shapes: fields.map(({ shape }) => shape),
  };
}

/** Whether the field may read as null. */
const isMaybe = ({ shape, required, default: given }: Field): boolean =>
  (!required && given === undefined) || isNullable(shape);

function showWhole(place: Place, path: string): { example: string; inside: Place } {
  return { example: wrap(place.guards, `{{json ${path}}}`), inside: { ...place, mixed: path } };
}

const conditionOf = ({ name, value }: { name: string; value: unknown }, path: string): string =>
  `(eq ${below(path, name)} ${JSON.stringify(value)})`;

function wrap(guards: readonly string[], text: string): string {
  return guards.reduceRight((inner, guard) => `{{#if ${guard}}}${inner}{{/if}}`, text);
}
