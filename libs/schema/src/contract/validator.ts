import { ok, refuse, type Result } from "../problem.ts";
import type { Json, JsonObject } from "../template.ts";
import { formatPath } from "../zod-problem.ts";
import { markAbsent } from "./absent.ts";
import type { Contract, Field, ListShape, ObjectShape, Shape, UnionShape } from "./contract.ts";
import { describe, describeShape, isObject, nearTo } from "./value-words.ts";
import { type Reads, READS_ALL, readsOfField, readsOfItems } from "./reads.ts";

/** Something that does not fit: where, and what, as the end of a sentence. */
export type ValueFault = { readonly path: string; readonly message: string };

/** One run: where it is, and what does not fit. */
type Run = { readonly path: (string | number)[]; faults: ValueFault[] };

/** Checks one value, and gives a copy of what the template can read of it. What it gives is unused where there are faults. */
type Check = (value: Json, run: Run) => Json;

const SHOWN_FAULTS = 8;
/** Faults that are looked for; a list of a thousand wrong items has as many. */
const MOST_FAULTS = 100;

/**
 * Builds what judges contexts against a contract, as far as `reads` says that a template can look; all of it unless said
 * otherwise. It gives a copy with only what can be read, defaults filled in, fields in the contract's order; or
 * `bad_context` with every fault, `path` being the first one's. The copy knows which of its missing fields may be missing
 * (`mayBeAbsent`). Build it once for a contract and a template, and keep it.
 */
export function createValidator(
  contract: Contract,
  reads: Reads = READS_ALL,
): (context: JsonObject) => Result<JsonObject> {
  const check = compile(contract.root, reads, new Map());
  return (context) => {
    const run: Run = { path: [], faults: [] };
    const value = check(context, run);
    if (run.faults.length === 0) return ok(value as JsonObject);
    return refuseContext(contract.name, run.faults);
  };
}

/** As `createValidator`, for a shape. */
export function createShapeCheck(
  shape: Shape,
  reads: Reads,
): (value: Json) => { value: Json; faults: readonly ValueFault[] } {
  const check = compile(shape, reads, new Map());
  return (value) => {
    const run: Run = { path: [], faults: [] };
    return { value: check(value, run), faults: run.faults };
  };
}

function refuseContext(name: string, faults: readonly ValueFault[]): Result<never> {
  const shown = faults
    .slice(0, SHOWN_FAULTS)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  if (faults.length > shown.length)
    shown.push(`and ${faults.length >= MOST_FAULTS ? "at least " : ""}${faults.length - shown.length} more`);
  const path = faults[0]?.path ?? "";
  const message = `The context does not fit the contract ${name}. ${shown.join("; ")}.`;
  return refuse("bad_context", message, path === "" ? {} : { path: path.slice(0, LONGEST_PATH) });
}

const LONGEST_PATH = 200;

function fail(run: Run, message: string): null {
  if (run.faults.length < MOST_FAULTS) run.faults.push({ path: formatPath(run.path), message });
  return null;
}

type Compiled = Map<Shape, Map<Reads, Check>>;

/** Compiles a shape to a closure; a recursive one meets itself again by the map. */
function compile(shape: Shape, reads: Reads, compiled: Compiled): Check {
  const known = compiled.get(shape) ?? new Map<Reads, Check>();
  compiled.set(shape, known);
  const before = known.get(reads);
  if (before !== undefined) return before;
  let check: Check | null = null;
  known.set(reads, (value, run) => (check ?? fail)(value as never, run as never));
  check = compileShape(shape, reads, compiled);
  known.set(reads, check);
  return check;
}

function compileShape(shape: Shape, reads: Reads, compiled: Compiled): Check {
  switch (shape.kind) {
    case "string": {
      const { minLength } = shape;
      return (value, run) => {
        if (typeof value !== "string") return fail(run, `must be a string, and is ${describe(value)}`);
        if (value.length >= minLength) return value;
        return fail(
          run,
          minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`,
        );
      };
    }
    case "number": {
      const { integer } = shape;
      const wanted = integer ? "a whole number" : "a number";
      return (value, run) =>
        typeof value === "number" && Number.isFinite(value) && (!integer || Number.isInteger(value))
          ? value
          : fail(run, `must be ${wanted}, and is ${describe(value)}`);
    }
    case "boolean":
      return (value, run) =>
        typeof value === "boolean" ? value : fail(run, `must be true or false, and is ${describe(value)}`);
    case "null":
      return (value, run) => (value === null ? null : fail(run, `must be null, and is ${describe(value)}`));
    case "literal": {
      const { value: wanted } = shape;
      return (value, run) => (value === wanted ? value : fail(run, `must be ${JSON.stringify(wanted)}`));
    }
    case "list":
      return compileList(shape, reads, compiled);
    case "record":
      return compileRecord(shape.value, reads, compiled);
    case "object":
      return compileObject(shape, reads, compiled, NO_NAMES);
    case "union":
      return compileUnion(shape, reads, compiled);
    default:
      return shape satisfies never;
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

function compileList({ item, minItems }: ListShape, reads: Reads, compiled: Compiled): Check {
  const of = readsOfItems(reads);
  const checkItem = of === null ? null : compile(item, of, compiled);
  return (value, run) => {
    if (!Array.isArray(value)) return fail(run, `must be a list, and is ${describe(value)}`);
    if (value.length < minItems)
      return fail(run, minItems === 1 ? "must not be empty" : `must have at least ${minItems} items`);
    const copy: Json[] = Array.from({ length: value.length }, () => null);
    if (checkItem !== null) {
      const { path } = run;
      for (let i = 0; i < value.length && run.faults.length < MOST_FAULTS; i++) {
        path.push(i);
        copy[i] = checkItem(value[i] ?? null, run);
        path.pop();
      }
    }
    markAbsent(copy, "any");
    return copy;
  };
}

/** What records know: any name may be missing. */
const RECORD: object = Object.create(null) as object;
markAbsent(RECORD, "any");

function compileRecord(of: Shape, reads: Reads, compiled: Compiled): Check {
  const checks = new Map<string, Check>();
  for (const name of reads.fields.keys()) {
    const field = readsOfField(reads, name);
    if (field !== null) checks.set(name, compile(of, field, compiled));
  }
  const others = readsOfItems(reads);
  const checkOther = others === null ? null : compile(of, others, compiled);
  return (value, run) => {
    if (!isObject(value)) return fail(run, `must be a record, and is ${describe(value)}`);
    const copy = Object.create(RECORD) as JsonObject;
    const names = checkOther === null ? checks.keys() : Object.keys(value);
    for (const name of names) {
      const check = checks.get(name) ?? checkOther;
      if (check === null || !Object.hasOwn(value, name)) continue;
      run.path.push(name);
      setField(copy, name, check(value[name] ?? null, run));
      run.path.pop();
      if (run.faults.length >= MOST_FAULTS) break;
    }
    return copy;
  };
}

type FieldCheck = Field & { readonly check: Check; readonly takesNull: boolean };

/** `others`: names that only other members of the object's union have. */
function compileObject(
  { fields }: ObjectShape,
  reads: Reads,
  compiled: Compiled,
  others: ReadonlySet<string>,
): Check {
  const checks: FieldCheck[] = [];
  for (const field of fields.values()) {
    const of = readsOfField(reads, field.name);
    if (of === null) continue;
    checks.push({ ...field, check: compile(field.shape, of, compiled), takesNull: mayBeNull(field.shape) });
  }
  const foreign = [...others].filter((name) => readsOfField(reads, name) !== null);
  const prototype = Object.create(null) as object;
  markAbsent(prototype, new Set([...fields.keys(), ...others]));
  return (value, run) => {
    if (!isObject(value)) return fail(run, `must be an object, and is ${describe(value)}`);
    const copy = Object.create(prototype) as JsonObject;
    const { path } = run;
    for (const field of checks) {
      const { name } = field;
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      path.push(name);
      if (given === undefined || (given === null && !field.takesNull && !field.required)) {
        if (field.default !== undefined) copy[name] = field.check(field.default, run);
        else if (field.required) fail(run, "is missing");
      } else copy[name] = field.check(given, run);
      path.pop();
    }
    for (const name of foreign) {
      if (!Object.hasOwn(value, name) || value[name] === null) continue;
      path.push(name);
      fail(run, "is not a field of this variant");
      path.pop();
    }
    return copy;
  };
}

const mayBeNull = (shape: Shape): boolean =>
  shape.kind === "null" || (shape.kind === "union" && shape.members.some(({ kind }) => kind === "null"));

/**
 * The first member that fits, those first that the value looks most like, whatever of it is read; else the faults of the
 * one that is nearest.
 */
function compileUnion({ members }: UnionShape, reads: Reads, compiled: Compiled): Check {
  const objects = members.filter((member) => member.kind === "object");
  const checks = members.map((member) => ({
    title: member.kind === "object" ? member.title : null,
    isNear: nearTo(member),
    unlike: member.kind === "object" ? unlikeness(member, objects) : () => 0,
    check:
      member.kind === "object" && objects.length > 1
        ? compileObject(member, reads, compiled, othersOf(member, objects))
        : compile(member, reads, compiled),
  }));
  const wanted = [...new Set(members.map(describeShape))].join(" or ");
  return (value, run) => {
    const before = run.faults;
    let best: { faults: ValueFault[]; title: string | null } | null = null;
    const near = checks.filter(({ isNear }) => isNear(value));
    if (near.length > 1) near.sort((a, b) => a.unlike(value) - b.unlike(value));
    for (const { title, check } of near) {
      run.faults = [];
      const copy = check(value, run);
      if (run.faults.length === 0) {
        run.faults = before;
        return copy;
      }
      if (best === null || run.faults.length < best.faults.length) best = { faults: run.faults, title };
    }
    run.faults = before;
    if (best === null) return fail(run, `must be ${wanted}, and is ${describe(value)}`);
    for (const { path, message } of best.faults)
      if (run.faults.length < MOST_FAULTS)
        run.faults.push({
          path,
          message: objects.length > 1 && best.title !== null ? `${message} (as "${best.title}")` : message,
        });
    return null;
  };
}

/**
 * How little a value looks like one object of a union: fields that must be there and are not, fields that only others have,
 * fields of another kind. All its fields count, not only those that are read: otherwise what a template reads would
 * decide which of the objects the value is.
 */
function unlikeness(member: ObjectShape, objects: readonly ObjectShape[]): (value: Json) => number {
  if (objects.length < 2) return () => 0;
  const foreign = [...othersOf(member, objects)];
  const fields = [...member.fields.values()].map((field) => ({ ...field, isNear: nearTo(field.shape) }));
  return (value) => {
    if (!isObject(value)) return 0;
    let count = 0;
    for (const { name, required, isNear } of fields) {
      const given = Object.hasOwn(value, name) ? (value[name] ?? null) : null;
      if (given === null ? required : !isNear(given)) count++;
    }
    for (const name of foreign) if (Object.hasOwn(value, name) && value[name] !== null) count++;
    return count;
  };
}

function othersOf({ fields }: ObjectShape, objects: readonly ObjectShape[]): ReadonlySet<string> {
  const names = objects.flatMap((object) => [...object.fields.keys()]);
  return new Set(names.filter((name) => !fields.has(name)));
}

function setField(object: JsonObject, name: string, value: Json): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
