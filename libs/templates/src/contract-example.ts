import { type Field, type ObjectShape, type Shape, isNullable, membersOf, objectsOf } from "@incipit/schema";
import { type tellsApart, usesOf } from "./contract-shapes.ts";
import type { Alike } from "./shape-classes.ts";

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
  /** What opens the loops around it, and closes them. */
  readonly around: readonly [open: string, close: string];
  readonly alike: Alike;
};

/** A value as it is read where it is current: the root of a context, or what a section of its own describes. */
export const currentPlace = (shapes: readonly Shape[], alike: Alike): Place => ({
  path: "",
  guards: [],
  mixed: null,
  shapes,
  around: ["", ""],
  alike,
});

const below = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/**
 * How a field is used, with the guards it needs, and where what is inside of it stands. `tag`: what tells its object from the
 * others that may stand there. `isEntered`: what is inside is read in the block of the example, which then has the guards for that.
 */
export function showUse(
  owner: ObjectShape,
  field: Field,
  place: Place,
  tag: ReturnType<typeof tellsApart>,
  isEntered: boolean,
): { example: string; inside: Place } {
  if (place.mixed !== null) return showWhole(place, place.mixed);
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
    tag === null || all.shapes.every((shape) => place.alike(shape, field.shape))
      ? here
      : { ...told, guards: tagged };
  const around = isEntered ? within.guards : here.guards;
  const guarded = here.isSure ? here.guards : [...here.guards, path];
  const inside: Place = {
    ...place,
    path,
    guards: within.isSure ? within.guards : [...within.guards, path],
    shapes: within.shapes,
  };
  const [use] = here.uses;
  if (use === "list") return { example: wrap(around, `{{#each ${path}}}…{{/each}}`), inside };
  if (use === "record")
    return {
      example: wrap(isEntered ? inside.guards : guarded, `{{#each ${path}}}{{@key}}…{{/each}}`),
      inside,
    };
  if (use === "object") return { example: wrap(around, `{{#with ${path}}}…{{/with}}`), inside };
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
  const of = place.path === "" ? "this" : place.path;
  return {
    ...place,
    path: "",
    guards: shapes.some(isNullable) ? ["this"] : [],
    mixed: isMixed ? "this" : null,
    shapes: [...new Set(shapes)],
    around: enclose(place, [`{{#each ${of}}}`, "{{/each}}"]),
  };
}

/** What makes the value at a place the current one. */
export function showEntry(place: Place): string {
  const { path, mixed } = place;
  if (mixed !== null) return place.around.join(wrap(place.guards, `{{json ${mixed}}}`));
  return enclose(place, path === "" ? ["", ""] : [`{{#with ${path}}}`, "{{/with}}"]).join("…");
}

/** Puts a block into the guards of a place, and into the loops around it. A loop or `with` is a guard of its own path. */
function enclose(
  { around: [open, close], guards, path }: Place,
  [before, after]: readonly [string, string],
): [string, string] {
  const needed = path === "" || guards.at(-1) !== path ? guards : guards.slice(0, -1);
  const ifs = needed.map((guard) => `{{#if ${guard}}}`).join("");
  return [open + ifs + before, after + "{{/if}}".repeat(needed.length) + close];
}

/** What a path of one more name reads in each of the shapes. A name that none of an union's objects lists is unknown. */
function look(shapes: readonly Shape[], name: string) {
  // Each object once: hundreds of unions may have the same ones.
  const objects = [...new Set(shapes.flatMap(objectsOf))];
  const owners = new Set(objects.filter(({ fields }) => fields.has(name)));
  const fields = [...owners].flatMap((owner) => owner.fields.get(name) ?? []);
  const inner = [...new Set(fields.map(({ shape }) => shape))];
  return {
    isUnknown: shapes.some((shape) => !objectsOf(shape).some((object) => owners.has(object))),
    isSure: owners.size === objects.length && !fields.some(isMaybe),
    uses: new Set(inner.flatMap(usesOf)),
    shapes: inner,
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

/** Puts a text into guards, the first of them outermost. */
export function wrap(guards: readonly string[], text: string): string {
  return guards.reduceRight((inner, guard) => `{{#if ${guard}}}${inner}{{/if}}`, text);
}
