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

/** What the registry wants to know, and nothing else of what a parser gives. */
export function outlineOf({ includes, hasCacheBreakpoint }: Parsed): Parsed {
  return {
    includes: includes.map(({ key, position, keyPosition, inLoop }) => ({
      key,
      position,
      keyPosition,
      inLoop,
    })),
    hasCacheBreakpoint,
  };
}

/**
 * Whether a body may include anything, told without parsing it: `false` is certain. Parsing every version again would make
 * replaying a log slow.
 */
export function mayInclude(body: string, syntax: Syntax): boolean {
  return syntax === "handlebars" && (body.includes("{{>") || body.includes("{{~>"));
}

/** Reads a body: `parseTemplate` of the template language, or a memo of it. Pure. */
export type Parse = (body: string, syntax: Syntax) => Result<Parsed>;
