import { ABSENT, NUMBERS, POSITIVES, type ObjectAtom, type Type, unite, type Atom, ZEROS } from "./types.ts";

/** One step from a value to one inside it. */
export type AccessStep =
  /** A field by name, of an object or a record; an index or `length` of a list. */
  | { readonly kind: "field"; readonly key: string; readonly name: string }
  /** The item of one pass of one loop: equal `key`s mean the same item. */
  | { readonly kind: "item"; readonly key: string }
  /** What a name or an index that is itself a value leads to: equal `key`s mean the same one. */
  | { readonly kind: "lookup"; readonly key: string };

/**
 * The way to a value: from a root (0: the context of the render; others: what a helper made) by steps. Two equal ways lead
 * to one value, whatever names a template gives it, so that what is known of it is known under all of them.
 */
export type Access = {
  readonly root: number;
  readonly steps: readonly AccessStep[];
  /** Equal for equal ways. */
  readonly key: string;
};

/** The way to a root itself. */
export function accessRoot(root: number): Access {
  return { root, steps: [], key: `${root}` };
}

/** The way to the context of the render. */
export const CONTEXT = accessRoot(0);

/** One step further. */
export function extend(access: Access, step: AccessStep): Access {
  return { root: access.root, steps: [...access.steps, step], key: `${access.key}${step.key}` };
}

/** The step to a field. */
export function fieldStep(name: string): AccessStep {
  return { kind: "field", key: `.${JSON.stringify(name)}`, name };
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** Whether a name is that of a list's place. */
export const isIndex = (name: string): boolean => INDEX.test(name);

/** What a step gives on one kind of value; none where it cannot be taken, so that who has taken it was not on that kind. */
export function stepOn(atom: Atom, step: AccessStep): Type {
  switch (step.kind) {
    case "field":
      return fieldOf(atom, step.name) ?? [];
    case "item":
      return itemsOf(atom);
    case "lookup":
      if (atom.kind === "list") return [...atom.item(), ABSENT];
      if (atom.kind === "emptyList") return [ABSENT];
      if (atom.kind === "record") return [...atom.value(), ABSENT];
      return atom.kind === "object" ? anyOf(atom) : [];
    default:
      return step satisfies never;
  }
}

const anyFields = new WeakMap<ObjectAtom, Type>();

/** What any name that may be read of an object leads to: found once, since a union may have thousands of names. */
function anyOf(atom: ObjectAtom): Type {
  const known = anyFields.get(atom);
  if (known !== undefined) return known;
  const type = unite([...atom.names()].map((name) => atom.field(name) ?? []));
  anyFields.set(atom, type);
  return type;
}

/** The type of a field; undefined where the kind of value has no such field. */
export function fieldOf(atom: Atom, name: string): Type | undefined {
  switch (atom.kind) {
    case "object":
      return atom.field(name);
    case "record":
      return [...atom.value(), ABSENT];
    case "list":
      if (name === "length") return POSITIVES;
      if (!isIndex(name)) return undefined;
      return Number(name) < atom.min ? atom.item() : [...atom.item(), ABSENT];
    case "emptyList":
      if (name === "length") return ZEROS;
      return isIndex(name) ? [ABSENT] : undefined;
    default:
      return undefined;
  }
}

/** What a loop over a kind of value gives, pass by pass. */
export function itemsOf(atom: Atom): Type {
  if (atom.kind === "list") return atom.item();
  if (atom.kind === "record") return atom.value();
  return atom.kind === "object" ? atom.values() : [];
}

/** How long a value may be. */
export function lengthOf(atom: Atom): Type {
  if (atom.kind === "emptyList" || (atom.kind === "literal" && atom.value === "")) return ZEROS;
  return atom.kind === "list" || atom.kind === "text" || atom.kind === "literal" ? POSITIVES : NUMBERS;
}
