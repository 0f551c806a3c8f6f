import type { Expression, ParsedTemplate, Path, Statement } from "./ast.ts";

/**
 * What a scope stands for: a path from the context (`xs[]` is every item of `xs`), or null where a helper made the
 * value, so that no field of the context can be named.
 */
type Scope = { readonly path: string | null; readonly outer: Scope | null };

const IDENTIFIER = /^[^\s.[\]]+$/;

/**
 * The paths of the context a template reads, each once, in the order they first appear: `user.name`, `xs`, `xs[].y`.
 * `[]` alone where any field of the context may be read. Read off the same tree that is rendered. What its partials read is theirs: list those of each partial. A path of
 * more than 300 characters is listed as far as the name that goes beyond.
 */
export function listVariables(parsed: ParsedTemplate): readonly string[] {
  const found = new Set<string>();
  walkBody(parsed.body, { path: "", outer: null }, found);
  return [...found];
}

function walkBody(body: readonly Statement[], scope: Scope, found: Set<string>): void {
  for (const statement of body) walkStatement(statement, scope, found);
}

function walkStatement(statement: Statement, scope: Scope, found: Set<string>): void {
  switch (statement.kind) {
    case "slot":
      found.add(statement.name);
      return;
    case "print":
      walkExpression(statement.value, scope, found);
      return;
    case "if":
      walkExpression(statement.condition, scope, found);
      walkBody(statement.body, scope, found);
      walkBody(statement.otherwise, scope, found);
      return;
    case "each": {
      const list = walkExpression(statement.over, scope, found);
      walkBody(statement.body, { path: list === null ? null : `${list}[]`, outer: scope }, found);
      walkBody(statement.otherwise, scope, found);
      return;
    }
    case "with":
      walkBody(statement.body, { path: walkExpression(statement.value, scope, found), outer: scope }, found);
      walkBody(statement.otherwise, scope, found);
      return;
    case "include":
      if (statement.context !== null) walkExpression(statement.context, scope, found);
      for (const { value } of statement.fields) walkExpression(value, scope, found);
      return;
    default:
      return;
  }
}

/** Notes what an expression reads; gives the path its value has in the context, if it has one. */
function walkExpression(expression: Expression, scope: Scope, found: Set<string>): string | null {
  if (expression.kind === "literal") return null;
  if (expression.kind === "path") {
    const path = resolve(expression, scope);
    if (path !== null && path !== "") found.add(path);
    return path;
  }
  const { helper, args } = expression;
  const [first, second] = args;
  if (helper === "lookup" && first !== undefined && second !== undefined) {
    if (second.kind !== "literal") walkExpression(second, scope, found);
    const holder = first.kind === "path" ? resolve(first, scope) : walkExpression(first, scope, found);
    if (holder === null) return null;
    const path = second.kind === "literal" ? append(holder, String(second.value)) : `${holder}[]`;
    found.add(path);
    return path;
  }
  const paths = args.map((arg) => walkExpression(arg, scope, found));
  return helper === "default" ? (paths[0] ?? null) : null;
}

function resolve({ start, segments }: Path, scope: Scope): string | null {
  if (start.from === "key" || start.from === "loop") return null;
  let base: string | null = "";
  if (start.from !== "root") {
    let frame: Scope | null = scope;
    for (let i = 0; i < start.up && frame !== null; i++) frame = frame.outer;
    base = frame?.path ?? null;
  }
  for (const { name } of segments) base = base === null ? null : append(base, name);
  return base;
}

/** Characters of a path that go on: a long name would be written again for all that is read of it. */
const LONGEST = 300;

function append(base: string, name: string): string {
  if (base.length > LONGEST) return base;
  if (!IDENTIFIER.test(name)) return `${base}[${JSON.stringify(name)}]`;
  return base === "" ? name : `${base}.${name}`;
}
