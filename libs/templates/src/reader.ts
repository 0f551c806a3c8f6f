import type { Finding, Position } from "@incipit/schema";
import type { BlockName, Include, Statement } from "./ast.ts";
import { finding, type FindingCode } from "./finding.ts";
import type { Locator } from "./locator.ts";
import type { StockLocation, StockProgram } from "./stock-ast.ts";

/** What reading one body gathers on its way from Handlebars' tree to ours. */
export type Reader = {
  readonly locator: Locator;
  readonly findings: Finding[];
  readonly includes: Include[];
  breakpoints: number;
  nodes: number;
};

/**
 * A scope as it stands in the text. `each` and `with` open one, `if` and `unless` do not. What a refused block would
 * have opened is unknown: nothing inside is refused for the lack of a scope.
 */
export type Scope = {
  readonly kind: "template" | "each" | "with" | "unknown";
  readonly outer: Scope | null;
  readonly names: readonly BlockName[];
};

/** The scope outside of all blocks. */
export const TEMPLATE_SCOPE: Scope = { kind: "template", outer: null, names: [] };

/** Whether a scope lies in a loop. */
export function isInLoop(scope: Scope): boolean {
  for (let s: Scope | null = scope; s !== null; s = s.outer) if (s.kind === "each") return true;
  return false;
}

/** Where a name was given by a block: how many scopes up, and as which of its parameters. */
export function findName(scope: Scope, name: string): { up: number; index: number } | undefined {
  let up = 0;
  for (let s: Scope | null = scope; s !== null; s = s.outer, up++) {
    const index = s.names.findIndex((given) => given.name === name);
    if (index >= 0) return { up, index };
  }
  return undefined;
}

/** The position of a node of Handlebars. */
export function positionOf(reader: Reader, node: { loc: StockLocation }): Position {
  return reader.locator.at(node.loc.start.column, node.loc.end.column);
}

/** Notes a finding and goes on, so that a person sees all of them at once. */
export function report(
  reader: Reader,
  code: FindingCode,
  position: Position,
  message: string,
  hint?: string,
): void {
  reader.findings.push(finding(code, position, message, hint));
}

/** Reads a body. Blocks are given it, since statements hold blocks and blocks hold statements. */
export type ReadBody = (
  reader: Reader,
  scope: Scope,
  program: StockProgram | undefined,
) => readonly Statement[];
