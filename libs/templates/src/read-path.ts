import type { LoopVariable, Path, PathStart, Segment } from "./ast.ts";
import { didYouMean } from "./did-you-mean.ts";
import { isPrototypeName } from "@incipit/schema";
import { findName, positionOf, type Reader, report, type Scope } from "./reader.ts";
import type { StockPath } from "./stock-ast.ts";

const LOOP_VARIABLES: readonly LoopVariable[] = ["index", "key", "first", "last"];
const isLoopVariable = (name: string): name is LoopVariable =>
  (LOOP_VARIABLES as readonly string[]).includes(name);

// A part of a path as Handlebars' lexer sees it: a bracketed name, `..`, `.` alone, or a plain name.
const PART = /\[(?:\\\]|[^\]])*\]|\.\.|\.(?=[\s/.]|$)|[^\s/.[@]+/g;

type Parts = { segments: Segment[]; up: number; scoped: boolean };

/** Finds each part again in the source, since Handlebars keeps no place for them. */
function readParts(reader: Reader, stock: StockPath): Parts {
  const { start, end } = stock.loc;
  const segments: Segment[] = [];
  let up = 0;
  let scoped = false;
  for (const found of reader.locator.source.slice(start.column, end.column).matchAll(PART)) {
    const [text] = found;
    if (segments.length === 0 && (text === ".." || text === "." || text === "this")) {
      scoped = true;
      if (text === "..") up++;
      continue;
    }
    const from = start.column + found.index;
    const name = stock.parts[segments.length] ?? text;
    segments.push({ name, position: reader.locator.at(from, from + text.length) });
  }
  return { segments, up, scoped };
}

/** The name a path consists of, when it is one bare name that could also be a helper's. */
export function bareName(reader: Reader, scope: Scope, stock: StockPath): string | undefined {
  const { segments, scoped } = readParts(reader, stock);
  const [only, more] = segments;
  if (stock.data || scoped || only === undefined || more !== undefined) return undefined;
  return findName(scope, only.name) === undefined ? only.name : undefined;
}

/** Reads a path and settles, from the blocks around it, what it starts from. */
export function readPath(reader: Reader, scope: Scope, stock: StockPath): Path {
  reader.nodes++;
  const position = positionOf(reader, stock);
  const parts = readParts(reader, stock);
  for (const { name, position: at } of parts.segments) {
    if (isPrototypeName(name)) {
      report(
        reader,
        "prototype_name",
        at,
        `\`${name}\` belongs to JavaScript's prototypes and is no field.`,
        "Rename the field.",
      );
    }
  }
  const text = reader.locator.source.slice(stock.loc.start.column, stock.loc.end.column);
  if (stock.data) return { kind: "path", text, position, ...readData(reader, scope, parts, position) };

  const [first, ...rest] = parts.segments;
  const named = first === undefined || parts.scoped ? undefined : findName(scope, first.name);
  if (first !== undefined && named !== undefined) {
    const from = named.index === 0 ? "item" : "key";
    return { kind: "path", text, position, start: { from, up: named.up, name: first.name }, segments: rest };
  }
  if (parts.up > countScopes(scope)) {
    report(
      reader,
      "above_root",
      position,
      "`../` leads out of the template: it counts the {{#each}} and {{#with}} around it, not {{#if}}.",
      "Remove a `../`, or start from @root.",
    );
  }
  return { kind: "path", text, position, start: { from: "scope", up: parts.up }, segments: parts.segments };
}

function countScopes(scope: Scope): number {
  let count = 0;
  for (let s = scope; s.outer !== null; s = s.outer) {
    if (s.kind === "unknown") return Infinity;
    count++;
  }
  return count;
}

function readData(
  reader: Reader,
  scope: Scope,
  { segments, up }: Parts,
  position: Path["position"],
): { start: PathStart; segments: readonly Segment[] } {
  const [first, ...rest] = segments;
  const name = first?.name ?? "";
  if (name === "root" && up === 0) return { start: { from: "root" }, segments: rest };
  if (!isLoopVariable(name)) {
    const near = didYouMean(name, ["root", ...LOOP_VARIABLES]);
    report(
      reader,
      "unknown_data",
      position,
      `\`@${name}\` does not exist: there are @root, @index, @key, @first and @last.`,
      near === undefined ? undefined : `Did you mean @${near}?`,
    );
    return { start: { from: "root" }, segments: [] };
  }
  const excess = rest[0];
  if (excess !== undefined) {
    report(reader, "unknown_data", excess.position, `\`@${name}\` is a plain value and has no fields.`);
  }
  return {
    start: { from: "loop", up: findLoop(reader, scope, up, name, position), variable: name },
    segments: [],
  };
}

/** How many scopes up the loop lies that a loop variable belongs to; `../` skips a loop, not a `with`. */
function findLoop(
  reader: Reader,
  scope: Scope,
  skip: number,
  name: string,
  position: Path["position"],
): number {
  let up = 0;
  let left = skip;
  for (let s: Scope | null = scope; s !== null; s = s.outer, up++) {
    if (s.kind === "unknown" || (s.kind === "each" && left-- === 0)) return up;
  }
  report(
    reader,
    "outside_loop",
    position,
    `\`@${name}\` stands outside of the {{#each}} it would belong to; a partial does not see its caller's.`,
    `In a partial, have it given: {{> key ${name}=@${name}}}.`,
  );
  return 0;
}
