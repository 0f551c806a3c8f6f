import type { z } from "zod";
import { ok, refuse, type Result } from "../problem.ts";
import type { Json } from "../template.ts";
import type { ContractDocument } from "./document.ts";
import { annotationsOf, type Annotations } from "./zod-annotations.ts";
import { checksOf, definitionOf, type ZodSchema } from "./zod-definition.ts";
import { findRecursive } from "./zod-recursion.ts";

type Node = Annotations & Record<string, unknown>;

type Walk = {
  readonly faults: string[];
  /** Names of schemas that hold themselves, and their definitions. */
  readonly names: Map<ZodSchema, string>;
  readonly defs: Record<string, Node>;
  readonly recursive: ReadonlySet<ZodSchema>;
};

/**
 * Turns a Zod schema into a contract's document. It walks Zod's own definitions and takes what it knows: objects, records,
 * lists, strings, numbers, booleans, null, literals, enums, unions, optional, nullable, defaults, recursion. What it
 * does not know, and every check that a document cannot hold, is refused (`bad_request`) with its path.
 */
export function documentFromZod(schema: z.ZodType): Result<ContractDocument> {
  const walk: Walk = { faults: [], names: new Map(), defs: {}, recursive: findRecursive(schema) };
  const root = readSchema(walk, schema, "");
  if (walk.faults.length > 0)
    return refuse("bad_request", `The schema is no contract. ${walk.faults.join("; ")}.`);
  const hasDefs = Object.keys(walk.defs).length > 0;
  // What is built here is judged by `parseContract`.
  return ok({ ...root, ...(hasDefs && { $defs: walk.defs }) } as unknown as ContractDocument);
}

function fault(walk: Walk, path: string, message: string): Node {
  walk.faults.push(path === "" ? message : `${path}: ${message}`);
  return { type: "null" };
}

function readSchema(walk: Walk, schema: ZodSchema, path: string): Node {
  const annotations = annotationsOf(schema);
  if (!walk.recursive.has(schema)) return { ...readKind(walk, schema, path), ...annotations };
  let name = walk.names.get(schema);
  if (name === undefined) {
    name = freeName(walk, annotations.title ?? "Node");
    walk.names.set(schema, name);
    walk.defs[name] = { ...readKind(walk, schema, path), ...annotations };
  }
  return { $ref: `#/$defs/${name}` };
}

function freeName(walk: Walk, title: string): string {
  const base = title.replaceAll(/[^A-Za-z0-9]+/g, "") || "Node";
  const taken = new Set(walk.names.values());
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}${i}`;
  return name;
}

function readKind(walk: Walk, schema: ZodSchema, path: string): Node {
  const def = definitionOf(schema);
  if ("coerce" in def && def.coerce)
    return fault(walk, path, "coercion changes what callers send: give the type itself");
  switch (def.type) {
    case "string":
      return { type: "string", ...readMinimum(walk, schema, path, "minLength") };
    case "number":
      return readNumber(walk, schema, path);
    case "boolean":
    case "null":
      refuseChecks(walk, schema, path);
      return { type: def.type };
    case "literal":
      return readValues(walk, def.values, path);
    case "enum":
      return readValues(walk, enumValues(def.entries), path);
    case "array": {
      const items = readSchema(walk, def.element, `${path}[]`);
      return { type: "array", items, ...readMinimum(walk, schema, path, "minItems") };
    }
    case "object":
      return readObject(walk, schema, path);
    case "record":
      return readRecord(walk, schema, path);
    case "union":
      refuseChecks(walk, schema, path);
      return {
        anyOf: def.options.map((option) => readSchema(walk, option, path)),
      };
    case "nullable": {
      const inner = readSchema(walk, def.innerType, path);
      const { description, "x-per-call": perCall, "x-warn-unused": warnUnused, ...rest } = inner;
      return {
        anyOf: [rest, { type: "null" }],
        ...(description !== undefined && { description }),
        ...(perCall !== undefined && { "x-per-call": perCall }),
        ...(warnUnused !== undefined && { "x-warn-unused": warnUnused }),
      };
    }
    case "readonly":
      return readSchema(walk, def.innerType, path);
    case "lazy":
      return readSchema(walk, def.getter(), path);
    case "optional":
    case "default":
      return fault(
        walk,
        path,
        `only a field of an object can be ${def.type === "default" ? "given a default" : "optional"}`,
      );
    default:
      return fault(
        walk,
        path,
        `z.${def.type} has no place in a contract: ${INSTEAD[def.type] ?? "give what JSON holds"}`,
      );
  }
}

/** What to write instead of what a contract cannot hold. */
const INSTEAD: Readonly<Record<string, string>> = {
  any: "say what it holds, or give it as a string",
  unknown: "say what it holds, or give it as a string",
  never: "leave the field out",
  undefined: "make the field optional",
  date: "give it as a string that is ready to be read",
  bigint: "give it as a string or a number",
  transform: "transform the value before it is sent",
  pipe: "give the type that is sent, without transforming it",
  tuple: "give an object with a name for each place, or a list",
  set: "give a list",
  map: "give a record",
  intersection: "give one object with all the fields",
  promise: "await it before it is sent",
  catch: "give a default, or let a wrong value be refused",
  prefault: "give a default",
  custom: "give the type itself; a check of one's own cannot be stored",
};

function refuseChecks(walk: Walk, schema: ZodSchema, path: string, known: readonly string[] = []): void {
  for (const { check, format } of checksOf(schema)) {
    if (known.includes(check)) continue;
    const what = format === undefined ? `check ${check}` : `format ${format}`;
    fault(
      walk,
      path,
      `the ${what} cannot be held by a contract: only min(…) on strings and lists, and int(), can`,
    );
  }
}

function readMinimum(
  walk: Walk,
  schema: ZodSchema,
  path: string,
  keyword: "minLength" | "minItems",
): Record<string, number> {
  refuseChecks(walk, schema, path, ["min_length"]);
  const minima = checksOf(schema).flatMap(({ minimum }) => (typeof minimum === "number" ? [minimum] : []));
  return minima.length === 0 ? {} : { [keyword]: Math.max(...minima) };
}

function readNumber(walk: Walk, schema: ZodSchema, path: string): Node {
  refuseChecks(walk, schema, path, ["number_format"]);
  const formats = checksOf(schema).flatMap(({ format }) => (format === undefined ? [] : [format]));
  for (const format of formats)
    if (format !== "safeint")
      fault(walk, path, `the format ${format} cannot be held by a contract: use z.int()`);
  return { type: formats.includes("safeint") ? "integer" : "number" };
}

function readValues(walk: Walk, values: readonly unknown[], path: string): Node {
  for (const value of values)
    if (value !== null && !["string", "number", "boolean"].includes(typeof value))
      fault(walk, path, `a value of type ${typeof value} has no place in JSON`);
  return values.length === 1 ? { const: values[0] } : { enum: [...values] };
}

/** The values of an enum; of one of TypeScript's, without the names that numbers are mapped back to. */
function enumValues(entries: Readonly<Record<string, string | number>>): (string | number)[] {
  const numbers = Object.values(entries).filter((value) => typeof value === "number");
  return Object.entries(entries)
    .filter(([name]) => !numbers.includes(Number(name)))
    .map(([, value]) => value);
}

function readRecord(walk: Walk, schema: ZodSchema, path: string): Node {
  refuseChecks(walk, schema, path);
  const def = definitionOf(schema);
  if (def.type !== "record") throw new Error("a record was expected");
  const { keyType, valueType } = def;
  if (definitionOf(keyType).type !== "string" || checksOf(keyType).length > 0)
    fault(walk, path, "the names of a record are any strings: use z.record(z.string(), …), or an object");
  return { type: "object", additionalProperties: readSchema(walk, valueType, `${path}{}`) };
}

function readObject(walk: Walk, schema: ZodSchema, path: string): Node {
  refuseChecks(walk, schema, path);
  const def = definitionOf(schema);
  if (def.type !== "object") throw new Error("an object was expected");
  const { shape, catchall } = def;
  if (catchall !== undefined && definitionOf(catchall).type !== "never")
    fault(walk, path, "a loose object has fields that nobody has described: use z.object");
  const properties: Record<string, Node> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(shape)) {
    const at = path === "" ? name : `${path}.${name}`;
    const { node, isOptional } = readField(walk, field, at);
    properties[name] = node;
    if (!isOptional) required.push(name);
  }
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** A field: what stands around its type says whether it may be left out, and what it is then. */
function readField(walk: Walk, schema: ZodSchema, path: string): { node: Node; isOptional: boolean } {
  const def = definitionOf(schema);
  if (def.type !== "optional" && def.type !== "default")
    return { node: readSchema(walk, schema, path), isOptional: false };
  refuseChecks(walk, schema, path);
  const inner = readField(walk, def.innerType, path);
  const given = def.type === "default" ? { default: def.defaultValue as Json } : {};
  return { node: { ...inner.node, ...given, ...annotationsOf(schema) }, isOptional: true };
}
