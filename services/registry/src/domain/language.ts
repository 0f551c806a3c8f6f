import type { Position, Result, Syntax } from "@incipit/schema";

/** What the registry wants to know of a parsed body: its includes, each with the place of its key. */
export type Parsed = {
  readonly includes: readonly { readonly key: string; readonly keyPosition: Position }[];
};

/** Reads a body: `parseTemplate` of the template language, or a memo of it. Pure. */
export type Parse = (body: string, syntax: Syntax) => Result<Parsed>;
