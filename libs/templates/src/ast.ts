import type { Position, Syntax } from "@incipit/schema";
import type { HelperName } from "./helper-table.ts";

/** Variables that `each` sets for one pass of its body. */
export type LoopVariable = "index" | "key" | "first" | "last";

/** One name of a path, without brackets, at its own place. */
export type Segment = { readonly name: string; readonly position: Position };

/**
 * What a path starts from. Scopes are lexical: `up` counts the `each` and `with` blocks between the path and the
 * block meant, so 0 is the innermost one (or the template's own context outside of all).
 */
export type PathStart =
  /** `this`, `../` or a bare field: the value a block made current. */
  | { readonly from: "scope"; readonly up: number }
  /** `@root`: the context the render was asked with, in partials too. */
  | { readonly from: "root" }
  /** The first block parameter of `each` or `with`: the same value as the scope's, under a name. */
  | { readonly from: "item"; readonly up: number; readonly name: string }
  /** The second block parameter of `each`: the index, or the key of a record. */
  | { readonly from: "key"; readonly up: number; readonly name: string }
  /** `@index`, `@key`, `@first`, `@last` of the `each` block meant. */
  | { readonly from: "loop"; readonly up: number; readonly variable: LoopVariable };

/** A value read from the context. `text` is the path as written. */
export type Path = {
  readonly kind: "path";
  readonly text: string;
  readonly start: PathStart;
  readonly segments: readonly Segment[];
  readonly position: Position;
};

/** A constant. */
export type Literal = {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
  readonly position: Position;
};

/** A helper with its arguments; their number fits the helper's table. */
export type Call = {
  readonly kind: "call";
  readonly helper: HelperName;
  readonly helperPosition: Position;
  readonly args: readonly Expression[];
  readonly position: Position;
};

/** What has a value. */
export type Expression = Path | Literal | Call;

/** Text as it stands, after whitespace control. */
type Text = { readonly kind: "text"; readonly text: string; readonly position: Position };

/** `{{value}}`. */
export type Print = { readonly kind: "print"; readonly value: Path | Call; readonly position: Position };

/** `{name}` of the slots syntax. */
export type Slot = { readonly kind: "slot"; readonly name: string; readonly position: Position };

/** `{{#if}}` and, with `negated`, `{{#unless}}`. An else-if chain is an `if` alone in `otherwise`. */
export type If = {
  readonly kind: "if";
  readonly negated: boolean;
  readonly condition: Expression;
  /** `includeZero=true`: 0 counts as true. */
  readonly includeZero: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly position: Position;
};

/** A block parameter: `as |name|`. */
export type BlockName = { readonly name: string; readonly position: Position };

/** `{{#each}}` over a list or the fields of a record. The body has a scope of its own, `otherwise` has not. */
export type Each = {
  readonly kind: "each";
  readonly over: Expression;
  /** At most two: the item, and its index or key. */
  readonly names: readonly BlockName[];
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly position: Position;
};

/** `{{#with}}`. The body has a scope of its own, `otherwise` has not. */
export type With = {
  readonly kind: "with";
  readonly value: Expression;
  /** At most one. */
  readonly names: readonly BlockName[];
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly position: Position;
};

/** `name=value` of an include. */
export type NamedArgument = {
  readonly name: string;
  readonly namePosition: Position;
  readonly value: Expression;
  readonly position: Position;
};

/** `{{> key}}`, `{{> key path}}`, `{{> key name=value}}`. */
export type Include = {
  readonly kind: "include";
  readonly key: string;
  readonly keyPosition: Position;
  /** The context given, null for the current one. */
  readonly context: Expression | null;
  readonly fields: readonly NamedArgument[];
  /** Whether it stands inside an `each` of its own template. */
  readonly inLoop: boolean;
  /** Its number among the includes of its template, in source order. */
  readonly index: number;
  readonly position: Position;
};

/** `{{cacheBreakpoint}}`: prints nothing, splits the text. */
type Breakpoint = { readonly kind: "breakpoint"; readonly position: Position };

/** What a body is made of. */
export type Statement = Text | Print | Slot | If | Each | With | Include | Breakpoint;

/** A template that passed the parser: immutable, and safe to keep and to share. */
export type ParsedTemplate = {
  readonly syntax: Syntax;
  readonly body: readonly Statement[];
  /** The keys it includes itself, each once, in the order they appear. */
  readonly partials: readonly string[];
  /** Every include, in source order. */
  readonly includes: readonly Include[];
  readonly hasCacheBreakpoint: boolean;
  /** About how many bytes it takes in memory, compiled too, for a cache's accounting. */
  readonly size: number;
};
