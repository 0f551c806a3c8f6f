import type { Json } from "../template.ts";

/** What may stand beside every node of a document. */
type Annotations = {
  readonly title?: string;
  readonly description?: string;
  /** Only on a field: the value where the caller gives none. Never null. */
  readonly default?: Json;
  /** Only on a field: another value with every call. Reading it before the cache breakpoint loses the cache. */
  readonly "x-per-call"?: true;
  /** Only on a field: the warning for a field that is given and never read. Stored, and not acted on by this release. */
  readonly "x-warn-unused"?: string;
};

/** Values that a constant can have. */
export type Scalar = string | number | boolean | null;

/**
 * One node of a contract's document: the subset of JSON Schema that a contract is written in. Everything else is refused
 * by `parseContract`.
 */
export type DocumentNode = Annotations &
  (
    | { readonly type: "string"; readonly minLength?: number }
    | { readonly type: "number" | "integer" | "boolean" | "null" }
    | { readonly enum: readonly Scalar[]; readonly type?: string }
    | { readonly const: Scalar; readonly type?: string }
    | { readonly type: "array"; readonly items: DocumentNode; readonly minItems?: number }
    /** An object: fields by name. `additionalProperties: false` may be said; what is not listed is pruned either way. */
    | {
        readonly type: "object";
        readonly properties: Readonly<Record<string, DocumentNode>>;
        readonly required?: readonly string[];
        readonly additionalProperties?: false;
      }
    /** A record: any names, values of one kind. */
    | { readonly type: "object"; readonly additionalProperties: DocumentNode }
    | { readonly anyOf: readonly DocumentNode[] }
    /** `#/$defs/Name`. */
    | { readonly $ref: string }
  );

/** A contract as it is stored: its root is an object, or an `anyOf` of objects with titles (variants). */
export type ContractDocument = DocumentNode & {
  readonly $schema?: string;
  readonly $defs?: Readonly<Record<string, DocumentNode>>;
};
