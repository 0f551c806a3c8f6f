import type { Json, JsonObject } from "../template.ts";
import { markAbsent } from "./absent.ts";
import { type Check, fail, mayEnter, MOST_FAULTS } from "./check-run.ts";
import { compileUnion } from "./compile-union.ts";
import type { Field, ListShape, ObjectShape, Shape } from "./contract.ts";
import { describe, isObject } from "./value-words.ts";
import { type Reads, readsOfField, readsOfItems } from "./reads.ts";
import { isNullable } from "./shapes.ts";

/** Makes the check of a shape, as far as it is read. */
export type Compile = (shape: Shape, reads: Reads) => Check;

/** What has been compiled, and which reads have been merged: both once, or a recursive contract would have no end. */
type Compiler = {
  readonly compile: Compile;
  readonly readsOf: (reads: Reads, name: string) => Reads | null;
};

/**
 * Compiles shapes to closures. Each is compiled when a value first meets it: a contract and a template may lead to far more
 * places than any context has.
 */
export function createCompiler(): Compile {
  const compiled = new Map<Shape, Map<Reads, Check>>();
  const merged = new Map<Reads, Map<string, Reads | null>>();
  const compiler: Compiler = {
    compile(shape, reads) {
      const known = setDefault(compiled, shape);
      const before = known.get(reads);
      if (before !== undefined) return before;
      let check: Check | null = null;
      const lazy: Check = (value, run) => (check ??= compileShape(shape, reads, compiler))(value, run);
      known.set(reads, lazy);
      return lazy;
    },
    readsOf(reads, name) {
      const known = setDefault(merged, reads);
      const before = known.get(name);
      if (before !== undefined) return before;
      const field = readsOfField(reads, name);
      known.set(name, field);
      return field;
    },
  };
  return compiler.compile;
}

function setDefault<K, A, B>(map: Map<K, Map<A, B>>, key: K): Map<A, B> {
  const inner = map.get(key) ?? new Map<A, B>();
  map.set(key, inner);
  return inner;
}

function compileShape(shape: Shape, reads: Reads, compiler: Compiler): Check {
  switch (shape.kind) {
    case "string":
      return compileString(shape.minLength);
    case "number":
      return compileNumber(shape.integer);
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
      return compileList(shape, reads, compiler);
    case "record":
      return compileRecord(shape.value, reads, compiler);
    case "object":
      return compileObject(shape, reads, compiler, new Set(shape.fields.keys()));
    case "union":
      return compileUnion(shape.members, (member, names) =>
        member.kind === "object" && names !== null
          ? compileObject(member, reads, compiler, names)
          : compiler.compile(member, reads),
      );
    default:
      return shape satisfies never;
  }
}

function compileString(minLength: number): Check {
  const short = minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`;
  return (value, run) => {
    if (typeof value !== "string") return fail(run, `must be a string, and is ${describe(value)}`);
    return value.length >= minLength ? value : fail(run, short);
  };
}

function compileNumber(integer: boolean): Check {
  const wanted = integer ? "a whole number" : "a number";
  return (value, run) =>
    typeof value === "number" && Number.isFinite(value) && (!integer || Number.isInteger(value))
      ? value
      : fail(run, `must be ${wanted}, and is ${describe(value)}`);
}

function compileList({ item, minItems }: ListShape, reads: Reads, { compile }: Compiler): Check {
  const of = readsOfItems(reads);
  const checkItem = of === null ? null : compile(item, of);
  const short = minItems === 1 ? "must not be empty" : `must have at least ${minItems} items`;
  return (value, run) => {
    if (!Array.isArray(value)) return fail(run, `must be a list, and is ${describe(value)}`);
    if (value.length < minItems) return fail(run, short);
    if (!mayEnter(run, value.length)) return null;
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

function compileRecord(of: Shape, reads: Reads, { compile, readsOf }: Compiler): Check {
  const checks = new Map<string, Check>();
  for (const name of reads.fields.keys()) {
    const field = readsOf(reads, name);
    if (field !== null) checks.set(name, compile(of, field));
  }
  const others = readsOfItems(reads);
  const checkOther = others === null ? null : compile(of, others);
  return (value, run) => {
    if (!isObject(value)) return fail(run, `must be a record, and is ${describe(value)}`);
    const names = checkOther === null ? [...checks.keys()] : Object.keys(value);
    if (!mayEnter(run, names.length)) return null;
    const copy = Object.create(RECORD) as JsonObject;
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

/** `names`: all names that an object there may have, those of the other objects of its union, too. */
function compileObject(
  { fields }: ObjectShape,
  reads: Reads,
  { compile, readsOf }: Compiler,
  names: ReadonlySet<string>,
): Check {
  const checks: FieldCheck[] = [];
  const isRead = (name: string) => reads.all || reads.items !== null || reads.fields.has(name);
  for (const field of fields.values()) {
    const of = isRead(field.name) ? readsOf(reads, field.name) : null;
    if (of === null) continue;
    checks.push({ ...field, check: compile(field.shape, of), takesNull: isNullable(field.shape) });
  }
  const foreign = [...names].filter((name) => !fields.has(name) && isRead(name));
  const prototype = Object.create(null) as object;
  markAbsent(prototype, names);
  const looks = 1 + checks.length + foreign.length;
  return (value, run) => {
    if (!isObject(value)) return fail(run, `must be an object, and is ${describe(value)}`);
    if (!mayEnter(run, looks)) return null;
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
      if (!Object.hasOwn(value, name) || (value[name] ?? null) === null) continue;
      path.push(name);
      fail(run, "is not a field of this variant");
      path.pop();
    }
    return copy;
  };
}

function setField(object: JsonObject, name: string, value: Json): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
