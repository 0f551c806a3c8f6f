import type { Json } from "../template.ts";
import type { ContractDocument } from "./document.ts";

/**
 * What a value may be, with every `$ref` followed: a graph, which a recursive contract makes circular. The validator, the
 * checker, the reference and the comparison all read this, never the document.
 */
export type Shape =
  | { readonly kind: "string"; readonly minLength: number }
  | { readonly kind: "number"; readonly integer: boolean }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  /** One constant. An enum is a union of them. */
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | ListShape
  | { readonly kind: "record"; readonly value: Shape }
  | ObjectShape
  | UnionShape;

/** A list; its items may lead back to it. */
export type ListShape = { readonly kind: "list"; readonly item: Shape; readonly minItems: number };

/** An object: the fields the contract lists. Any other is pruned before a template can read it. */
export type ObjectShape = {
  readonly kind: "object";
  /** The title of a variant or a definition; null where it has none. */
  readonly title: string | null;
  readonly fields: ReadonlyMap<string, Field>;
};

/**
 * One of several, at least two, never a union itself. Where several objects are in it, a field that only some of them
 * list reads as absent in the others.
 */
export type UnionShape = { readonly kind: "union"; readonly members: readonly Shape[] };

/** A field of an object. */
export type Field = {
  readonly name: string;
  readonly shape: Shape;
  /** It may not be left out. False where it has a default. */
  readonly required: boolean;
  /** The value where the caller gives none; undefined: it then reads as absent, which prints nothing and is falsy. */
  readonly default: Json | undefined;
  readonly description: string;
  /** See `x-per-call`. */
  readonly perCall: boolean;
  /** See `x-warn-unused`; null where it is not marked. */
  readonly warnUnused: string | null;
};

/** A contract that `parseContract` has accepted. Immutable. */
export type Contract = {
  readonly name: string;
  readonly document: ContractDocument;
  /** An object, or a union of objects only: the variants. */
  readonly root: ObjectShape | UnionShape;
  /** The objects the context may be: one, or each variant. */
  readonly variants: readonly ObjectShape[];
};
