import type { Expression, Include, Path, Statement } from "../src/ast.ts";
import type { LinkedTemplate } from "../src/index.ts";
import type { Unit } from "../src/run-state.ts";

/** What of the language a template uses, with its partials, as short names: each once for each time it stands there. */
export function featuresOf({ root }: LinkedTemplate): string[] {
  const features: string[] = [];
  const units = new Set<Unit>();
  const visit = (unit: Unit): void => {
    if (units.has(unit)) features.push("a partial included from two places");
    if (units.has(unit)) return;
    units.add(unit);
    const here = createNotes((feature) => features.push(feature), unit !== root);
    here.body(unit.parsed.body);
    unit.targets.forEach(visit);
  };
  visit(root);
  return features;
}

type Note = (feature: string) => void;

function createNotes(note: Note, isPartial: boolean) {
  function body(statements: readonly Statement[]): void {
    statements.forEach(statement);
  }

  function statement(one: Statement): void {
    switch (one.kind) {
      case "text":
      case "breakpoint":
      case "slot":
        return note(one.kind);
      case "print":
        note(`print ${kindOf(one.value)}`);
        return expression(one.value);
      case "if": {
        const tag = one.negated ? "unless" : "if";
        note(`${tag}${one.includeZero ? " includeZero" : ""} ${kindOf(one.condition)}`);
        const [only, more] = one.otherwise;
        if (one.otherwise.length > 0) note(`${tag} else`);
        if (only !== undefined && more === undefined) note(`${tag} else ${only.kind}`);
        expression(one.condition);
        body(one.body);
        return body(one.otherwise);
      }
      case "each":
        note(`each ${kindOf(one.over)}`);
        note(`each with ${one.names.length} names`);
        if (one.otherwise.length > 0) note("each else");
        expression(one.over);
        body(one.body);
        return body(one.otherwise);
      case "with":
        note(`with ${kindOf(one.value)}`);
        note(`with with ${one.names.length} names`);
        if (one.otherwise.length > 0) note("with else");
        expression(one.value);
        body(one.body);
        return body(one.otherwise);
      case "include":
        return include(one);
      default:
        return one satisfies never;
    }
  }

  function include({ context, fields, inLoop }: Include): void {
    const by = fields.length === 0 ? "alone" : fields.length === 1 ? "with a field" : "with fields";
    note(`include ${context === null ? "here" : kindOf(context)} ${by}`);
    if (inLoop) note("include in a loop");
    if (isPartial) note(`include in a partial ${by}`);
    if (context !== null) expression(context);
    for (const { name, value } of fields) {
      note(`field ${kindOf(value)}`);
      if (name === "length" || name === "0") note(`field named ${name}`);
      expression(value);
    }
  }

  function expression(one: Expression, around: readonly string[] = []): void {
    if (one.kind === "path") return path(one);
    if (one.kind === "literal") return;
    const { helper, args } = one;
    args.forEach((arg, i) => {
      note(`${helper} argument ${Math.min(i, 2)} ${classOf(arg)}`);
      if (helper === "lookup" || helper === "default") note(`${helper} argument ${i} is ${kindOf(arg)}`);
      expression(arg, [...around, helper]);
    });
    const logic = [...around, helper].filter((name) => name === "and" || name === "or" || name === "not");
    if (logic.length >= 3) note("and, or, not three deep");
    if (around.at(-1) === helper) note(`${helper} in ${helper}`);
  }

  function path({ start, segments }: Path): void {
    const where = isPartial ? "partial: " : "";
    const far = start.from === "root" ? "" : ` up ${Math.min(start.up, 2)}`;
    note(`${where}${start.from === "loop" ? `@${start.variable}` : start.from}${far}`);
    note(`${start.from} and ${Math.min(segments.length, 4)} names`);
    for (const { name } of segments)
      if (name === "length" || /^\d+$/.test(name)) note(`a ${name === "length" ? name : "place"} by name`);
  }

  return { body };
}

/** What an expression is, roughly. */
function classOf(one: Expression): string {
  if (one.kind !== "path") return one.kind;
  const { start, segments } = one;
  if (start.from === "loop" || start.from === "key") return "of a loop";
  return segments.length === 0 ? "scope" : "field";
}

/** What an expression is, as far as the checker treats one other than another. */
function kindOf(one: Expression): string {
  if (one.kind === "call") return `(${one.helper})`;
  if (one.kind === "path") {
    const { start, segments } = one;
    if (start.from === "loop") return `@${start.variable}`;
    if (start.from === "key") return "second name";
    return segments.length === 0 ? (start.from === "scope" && start.up === 0 ? "this" : start.from) : "field";
  }
  const { value } = one;
  if (typeof value !== "number")
    return value === null ? "null" : value === "" ? "empty string" : typeof value;
  return value < 0 ? "negative" : Number.isInteger(value) ? (value === 0 ? "0" : "number") : "fraction";
}
