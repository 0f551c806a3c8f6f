import type { Position, Result, Syntax } from "@incipit/schema";

/** One include of a parsed body. */
type Include = {
  readonly key: string;
  readonly position: Position;
  readonly keyPosition: Position;
  /** Whether it stands inside an `each`. */
  readonly inLoop: boolean;
};

/** What the registry wants to know of a parsed body. */
export type Parsed = { readonly includes: readonly Include[]; readonly hasCacheBreakpoint: boolean };

/** Reads a body: `parseTemplate` of the template language, or a memo of it. Pure. */
export type Parse = (body: string, syntax: Syntax) => Result<Parsed>;
