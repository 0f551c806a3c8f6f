import type { Field, ObjectShape, Shape } from "@incipit/schema";

/**
 * One kind of value, each either truthy or falsy as a whole, so that a condition keeps an atom or drops it. A string is
 * `""` or a `text`, a number is 0 or a `number`, a boolean is one of two literals, a list is empty or not.
 */
export type Atom =
  | { readonly kind: "null" }
  /** The contract allows it not to be there: reads as null. */
  | { readonly kind: "absent" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  /** A string that is not empty. */
  | { readonly kind: "text" }
  /** A number that is not 0. */
  | { readonly kind: "number" }
  | { readonly kind: "emptyList" }
  /** A list of at least `min` (one or more) items. */
  | { readonly kind: "list"; readonly item: () => Type; readonly min: number; readonly shape: Shape | null }
  | { readonly kind: "record"; readonly value: () => Type; readonly shape: Shape | null }
  | ObjectAtom;

/** An object whose fields are known. */
export type ObjectAtom = {
  readonly kind: "object";
  readonly title: string | null;
  /** The names that may be read, also those that only a sibling of its union has. */
  readonly names: () => Iterable<string>;
  /** The type of a field; undefined where it may not be read. */
  readonly field: (name: string) => Type | undefined;
  /** What any of its fields may be that is there. */
  readonly values: () => Type;
  /** What the contract says; null where a partial's arguments lie over it. */
  readonly shape: ObjectShape | null;
};

/** What a value may be: one of the atoms. None: it cannot be. */
export type Type = readonly Atom[];

/** The atoms that have nothing to tell apart. */
const NULL: Atom = { kind: "null" };
/** See `Atom`. */
export const ABSENT: Atom = { kind: "absent" };
const TEXT: Atom = { kind: "text" };
const EMPTY_TEXT: Atom = { kind: "literal", value: "" };
const ZERO: Atom = { kind: "literal", value: 0 };
const NUMBER: Atom = { kind: "number" };
const TRUE: Atom = { kind: "literal", value: true };
const FALSE: Atom = { kind: "literal", value: false };
const EMPTY_LIST: Atom = { kind: "emptyList" };

/** The types of what helpers give. */
export const STRINGS: Type = [EMPTY_TEXT, TEXT];
/** A string that is not empty. */
export const TEXTS: Type = [TEXT];
/** Any number. */
export const NUMBERS: Type = [ZERO, NUMBER];
/** A number that is not 0. */
export const POSITIVES: Type = [NUMBER];
/** 0 alone. */
export const ZEROS: Type = [ZERO];
/** Either boolean. */
export const BOOLEANS: Type = [FALSE, TRUE];

/** The type of one constant. */
export function typeOfLiteral(value: string | number | boolean | null): Type {
  if (value === null) return [NULL];
  if (value === "") return [EMPTY_TEXT];
  if (value === 0) return ZEROS;
  if (typeof value === "boolean") return [value ? TRUE : FALSE];
  return [{ kind: "literal", value }];
}

const types = new WeakMap<Shape, Type>();

/** The type of a contract's shape, once for each shape, so that equal types are the same atoms. */
export function typeOfShape(shape: Shape): Type {
  let type = types.get(shape);
  if (type === undefined) {
    type = shape.kind === "union" ? unite(typesOfMembers(shape.members)) : buildType(shape, new Set());
    types.set(shape, type);
  }
  return type;
}

function typesOfMembers(members: readonly Shape[]): Type[] {
  const objects = members.filter((member) => member.kind === "object");
  const names = new Set(objects.flatMap(({ fields }) => [...fields.keys()]));
  const id = [...names].toSorted().join(" ");
  return members.map((member) =>
    member.kind === "object" && objects.length > 1 ? [typeAmong(member, names, id)] : typeOfShape(member),
  );
}

const typesAmong = new WeakMap<Shape, Map<string, Atom>>();

/** An object among others, once for all unions with the same names: it may be a member of hundreds. */
function typeAmong(shape: ObjectShape, names: ReadonlySet<string>, id: string): Atom {
  const known = typesAmong.get(shape) ?? new Map<string, Atom>();
  typesAmong.set(shape, known);
  const atom = known.get(id) ?? buildObject(shape, names);
  known.set(id, atom);
  return atom;
}

function buildType(shape: Exclude<Shape, { kind: "union" }>, siblings: ReadonlySet<string>): Type {
  switch (shape.kind) {
    case "string":
      return shape.minLength > 0 ? TEXTS : STRINGS;
    case "number":
      return NUMBERS;
    case "boolean":
      return BOOLEANS;
    case "null":
      return [NULL];
    case "literal":
      return typeOfLiteral(shape.value);
    case "list": {
      const min = Math.max(1, shape.minItems);
      const list: Atom = { kind: "list", item: () => typeOfShape(shape.item), min, shape };
      return shape.minItems > 0 ? [list] : [EMPTY_LIST, list];
    }
    case "record":
      return [{ kind: "record", value: () => typeOfShape(shape.value), shape }];
    case "object":
      return [buildObject(shape, siblings)];
    default:
      return shape satisfies never;
  }
}

function buildObject(shape: ObjectShape, siblings: ReadonlySet<string>): Atom {
  const known = new Map<string, Type>();
  let all: Type | undefined;
  const values = () => (all ??= unite([...shape.fields.values()].map((field) => typeOfShape(field.shape))));
  return {
    kind: "object",
    values,
    title: shape.title,
    shape,
    // Those of its siblings have its own among them, and are one set for all of them.
    names: () => (siblings.size > 0 ? siblings : shape.fields.keys()),
    field(name) {
      const before = known.get(name);
      if (before !== undefined) return before;
      const field = shape.fields.get(name);
      if (field === undefined) return siblings.has(name) ? [ABSENT] : undefined;
      const type = typeOfField(field);
      known.set(name, type);
      return type;
    },
  };
}

function typeOfField(field: Field): Type {
  const type = typeOfShape(field.shape);
  return field.required || field.default !== undefined ? type : [...type, ABSENT];
}

/** One type for what may be any of several. */
export function unite(parts: readonly Type[]): Type {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return [...new Set(parts.flat())];
}

/** Whether all values of an atom are truthy; see `isTruthy`, whose table it is. */
export function isTruthyAtom(atom: Atom, includeZero: boolean): boolean {
  switch (atom.kind) {
    case "null":
    case "absent":
    case "emptyList":
      return false;
    case "literal":
      return Boolean(atom.value) || (includeZero && atom.value === 0);
    default:
      return true;
  }
}

/** Whether an atom is null or absent, which to a template is the same. */
export const isNullish = ({ kind }: Atom): boolean => kind === "null" || kind === "absent";

/** Whether every value of an atom is a string. */
export const isString = (atom: Atom): boolean =>
  atom.kind === "text" || (atom.kind === "literal" && typeof atom.value === "string");

/** Whether every value of an atom is a number. */
export const isNumber = (atom: Atom): boolean =>
  atom.kind === "number" || (atom.kind === "literal" && typeof atom.value === "number");

/** Whether an atom can be printed. */
export const isPrintable = ({ kind }: Atom): boolean =>
  kind === "literal" || kind === "text" || kind === "number";

/** Whether an atom is a list, empty or not. */
export const isList = ({ kind }: Atom): boolean => kind === "list" || kind === "emptyList";

/** Whether an atom can be looped over. */
export const isLoopable = ({ kind }: Atom): boolean =>
  kind === "list" || kind === "emptyList" || kind === "record" || kind === "object";

/** What an atom is, in words. */
export function describeAtom(atom: Atom): string {
  switch (atom.kind) {
    case "null":
      return "null";
    case "absent":
      return "absent";
    case "literal":
      return typeof atom.value === "string" && atom.value === ""
        ? "an empty string"
        : JSON.stringify(atom.value);
    case "text":
      return "a string";
    case "number":
      return "a number";
    case "emptyList":
    case "list":
      return "a list";
    case "record":
      return "a record";
    case "object":
      return "an object";
    default:
      return atom satisfies never;
  }
}
