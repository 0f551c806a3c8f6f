import type { ObjectShape, Shape } from "@incipit/schema";
import type { Random } from "./random.ts";
import { fieldsOf, isScalar, without } from "./random-refs.ts";

/** A value as it is written, and what it may be; null where that is not known. */
export type Written = { readonly text: string; readonly shape: Shape | null };

/** A scope around a place, as the renderer has one there. */
export type Level = {
  readonly shape: Shape | null;
  /** What lies under fields by name and cannot be read: who writes templates may still try. */
  readonly under: Shape | null;
  readonly isLoop: boolean;
  /** The block's names. */
  readonly item: string | null;
  readonly key: string | null;
  /** What `@key` and the second name are. */
  readonly keys: Shape;
};

/** What surrounds a place. */
export type Place = {
  readonly random: Random;
  readonly root: Shape;
  readonly levels: readonly Level[];
  /** What conditions and blocks around have named. */
  readonly named: readonly Written[];
  /** Takes what the statement in work reads. */
  readonly used: Written[];
};

/** What a value is wanted to be. */
export type Want = "any" | "scalar" | "string" | "number" | "boolean" | "list" | "record" | "object" | "loop";

export const NUMBER: Shape = { kind: "number", integer: true };
export const STRING: Shape = { kind: "string", minLength: 0 };
export const BOOLEAN: Shape = { kind: "boolean" };

/** Whether a value is what is wanted, wherever it is not null. */
export function fits(shape: Shape | null, want: Want): boolean {
  if (shape === null) return want === "any";
  const of = without(shape);
  const members = of.kind === "union" ? of.members : [of];
  return members.length > 0 && members.every((member) => fitsOne(member, want));
}

function fitsOne(shape: Shape, want: Want): boolean {
  const kind = shape.kind === "literal" ? typeof shape.value : shape.kind;
  if (want === "any") return true;
  if (want === "scalar") return isScalar(shape);
  if (want === "loop") return kind === "list" || kind === "record" || kind === "object";
  return kind === want;
}

/** A name that can be read here and is, most likely, what is wanted. */
export function pickName(place: Place, want: Want): Written | null {
  const { random, named } = place;
  for (let i = 0; i < 10; i++) {
    const again = named.length > 0 && random.chance(0.5);
    let name = again ? random.pick(named) : nameOf(place);
    for (let steps = 0; name !== null && steps < 3; steps++) {
      const isThere = fits(name.shape, want);
      if (isThere ? random.chance(0.9) : random.chance(0.3)) break;
      name = stepInto(random, name);
    }
    if (name !== null && (fits(name.shape, want) || random.chance(0.03))) {
      place.used.push(name);
      return name;
    }
  }
  return null;
}

/** What a loop around tells of its pass: an index, a key, or a second name; null outside of loops. */
export function pickPass(place: Place, want: "number" | "string"): Written | null {
  const { random, levels } = place;
  const loops = levels.filter(({ isLoop, keys }) => isLoop && (fits(keys, want) || random.chance(0.15)));
  if (loops.length === 0) return null;
  const loop = random.pick(loops);
  const isVisible =
    loop.key !== null && levels.find((level) => level.key === loop.key || level.item === loop.key) === loop;
  if (isVisible && loop.key !== null && random.chance(0.5)) return { text: loop.key, shape: loop.keys };
  const out = "../".repeat(levels.filter(({ isLoop }) => isLoop).indexOf(loop));
  return { text: `@${out}${want === "number" && random.chance(0.6) ? "index" : "key"}`, shape: loop.keys };
}

/** Something that stands in a scope around: it itself, a field, a block's name, a loop's variable; or in `@root`. */
function nameOf({ random, levels, root }: Place): Written | null {
  if (random.chance(0.1)) return ofRoot(random, root);
  if (random.chance(0.12)) {
    const loops = levels.filter(({ isLoop }) => isLoop);
    if (loops.length > 0) return ofLoop(random, loops);
  }
  let up = 0;
  while (up < levels.length - 1 && random.chance(0.4)) up++;
  const level = levels[up];
  if (level === undefined) return null;
  const visible = (name: string | null): name is string =>
    name !== null && levels.findIndex(({ item, key }) => item === name || key === name) === up;
  if (visible(level.key) && random.chance(0.25))
    return random.chance(0.9)
      ? { text: level.key, shape: level.keys }
      : { text: `${level.key}.${random.pick(["length", "name", "[0]"])}`, shape: NUMBER };
  if (visible(level.item) && random.chance(0.5)) {
    const name = { text: level.item, shape: level.shape };
    return random.chance(0.6) ? stepInto(random, name) : name;
  }
  const self = up === 0 ? random.pick(["this", "this", "."]) : selfAbove(random, up);
  if (level.under !== null && random.chance(0.12))
    return stepInto(random, { text: "this", shape: level.under });
  const fields = level.shape === null ? [] : fieldsOf(level.shape);
  if (fields.length === 0 || random.chance(0.15)) return { text: self, shape: level.shape };
  const field = random.pick(fields);
  const isHidden =
    field.text === "length" || levels.some(({ item, key }) => item === field.text || key === field.text);
  const prefix =
    up > 0 ? "../".repeat(up) : isHidden || random.chance(0.1) ? random.pick(["this.", "./"]) : "";
  return { text: prefix + field.text, shape: field.shape };
}

const selfAbove = (random: Random, up: number): string =>
  random.chance(0.8) ? Array.from({ length: up }, () => "..").join("/") : `${"../".repeat(up)}this`;

function ofRoot(random: Random, root: Shape): Written {
  const fields = fieldsOf(root);
  if (fields.length === 0 || random.chance(0.1)) return { text: "@root", shape: root };
  const field = random.pick(fields);
  return { text: `@root.${field.text}`, shape: field.shape };
}

function ofLoop(random: Random, loops: readonly Level[]): Written {
  let out = 0;
  while (out < loops.length - 1 && random.chance(0.5)) out++;
  const variable = random.pick(["index", "index", "key", "key", "first", "last"]);
  const shape = variable === "index" ? NUMBER : variable === "key" ? (loops[out]?.keys ?? NUMBER) : BOOLEAN;
  return { text: `@${"../".repeat(out)}${variable}`, shape };
}

/** Whether what is written is a path, of which fields can be read, and no constant and no call. */
export const isPath = (text: string): boolean => !/^[("]|^-?\d|^(?:true|false|null)$/.test(text);

/** A value inside another, whether the other is there or not. */
function stepInto(random: Random, name: Written): Written {
  if (name.shape === null || !isPath(name.text) || /^@(?!root)/.test(name.text)) return name;
  const of = without(name.shape);
  const at = (field: string, shape: Shape): Written => ({ text: fieldText(name.text, field), shape });
  const members = of.kind === "union" ? of.members : [of];
  if (members.length === 0) return name;
  const member = random.pick(members);
  if (member.kind === "list")
    return random.chance(0.35) ? at("length", NUMBER) : at(`[${random.pick([0, 0, 0, 1, 2])}]`, member.item);
  if (member.kind === "record") return at(random.pick(["a", "name", "mode", "[0]", "b"]), member.value);
  const fields = fieldsOf(of);
  if (fields.length === 0)
    return random.chance(0.04) ? at(random.pick(["length", "[0]", "name"]), NUMBER) : name;
  const field = random.pick(fields);
  return at(field.text, field.shape);
}

function fieldText(text: string, field: string): string {
  if (text === ".") return `./${field}`;
  return `${text}${text.endsWith("..") ? "/" : "."}${field}`;
}

/** An object of these fields: what a partial sees that is given fields by name over an object. */
export function objectOf(base: Shape | null, fields: readonly Written[]): ObjectShape {
  const all = [
    ...(base === null ? [] : fieldsOf(base)).map(({ text, shape, maybe }) => ({
      text,
      shape,
      required: !maybe,
    })),
    ...fields.map(({ text, shape }) => ({ text, shape: shape ?? STRING, required: true })),
  ];
  const made = all.map(({ text, shape, required }) => {
    const more = { default: undefined, description: "d", perCall: false, warnUnused: null };
    return [text, { name: text, shape, required, ...more }] as const;
  });
  return { kind: "object", title: null, fields: new Map(made) };
}
