export type {
  BlockName,
  Breakpoint,
  Call,
  Each,
  Expression,
  If,
  Include,
  Literal,
  LoopVariable,
  NamedArgument,
  ParsedTemplate,
  Path,
  PathStart,
  Print,
  Segment,
  Slot,
  Statement,
  Text,
  With,
} from "./ast.ts";
export { didYouMean } from "./did-you-mean.ts";
export { FINDING_CODES, type FindingCode } from "./finding.ts";
export { formatFinding } from "./format-finding.ts";
export { HELPERS, isHelperName, type HelperEntry, type HelperName, RESERVED_NAMES } from "./helper-table.ts";
export {
  linkTemplate,
  type LinkedTemplate,
  type ResolvedPartial,
  type ResolvePartial,
} from "./link-template.ts";
export { listVariables } from "./list-variables.ts";
export { parseTemplate } from "./parse-template.ts";
export { render, type RenderedText } from "./render.ts";
export { isTruthy } from "./truthiness.ts";
