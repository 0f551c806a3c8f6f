import type { z } from "zod";
import { LIMITS } from "../limits.ts";
import { ok, refuse, type Result } from "../problem.ts";
import type { ContractDocument } from "./document.ts";
import type { Fault } from "./fault-list.ts";
import { annotationsOf, type Annotations } from "./zod-annotations.ts";
import { enumValues, faultsOfChecks, isInteger, minimumOf, refusalOf } from "./zod-checks.ts";
import { checksOf, definitionOf, wrappedBy, type ZodSchema } from "./zod-definition.ts";
import { findRecursive, SCHEMA_COUNT, SCHEMA_LEVELS } from "./zod-recursion.ts";

type Node = Annotations & Record<string, unknown>;

/** A schema that was read; `isOptional`: it may be left out, which only a field can. */
type Read = { readonly node: Node; readonly isOptional: boolean };

type Walk = {
  readonly faults: Fault[];
  /** Names of schemas that hold themselves, and their definitions. */
  readonly names: Map<ZodSchema, string>;
  readonly defs: Record<string, Node>;
  readonly recursive: ReadonlySet<ZodSchema>;
  level: number;
  count: number;
  isOver: boolean;
};

/**
 * Turns a Zod schema into a contract's document. It walks Zod's own definitions and takes what it knows: objects, records,
 * lists, strings, numbers, booleans, null, literals, enums, unions, optional, nullable, defaults, recursion. What it
 * does not know, and every check that a document cannot hold, is refused (`bad_request`) with its path.
 */
export function documentFromZod(schema: z.ZodType): Result<ContractDocument> {
  const read = tryRead(schema);
  if (!read.ok) return refuse("bad_request", `The schema cannot be read: ${read.message}.`);
  const { document, faults } = read.value;
  if (document !== null && faults.length === 0) return ok(document);
  const told = faults.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return refuse("bad_request", `The schema is no contract. ${told.join("; ")}.`);
}

/** Schemas are code: one that is made when it is asked for can throw, or give what is none. */
function tryRead(
  schema: z.ZodType,
): { ok: true; value: ReturnType<typeof readZod> } | { ok: false; message: string } {
  try {
    return { ok: true, value: readZod(schema) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * As `documentFromZod`, with the document as far as it could be made: a null stands in it where the schema is wrong. It
 * is null where the schema is over a limit, which is a fault too.
 */
export function readZod(schema: z.ZodType): {
  document: ContractDocument | null;
  faults: readonly Fault[];
} {
  const recursive = findRecursive(schema);
  const walk: Walk = { faults: [], names: new Map(), defs: {}, recursive, level: 0, count: 0, isOver: false };
  const root = readSchema(walk, schema, "");
  const hasDefs = Object.keys(walk.defs).length > 0;
  // What is built here is judged by `parseContract`.
  const document = { ...root, ...(hasDefs && { $defs: walk.defs }) } as unknown as ContractDocument;
  return { document: walk.isOver ? null : document, faults: walk.faults };
}

function fault(walk: Walk, path: string, message: string): Node {
  walk.faults.push({ path, message });
  return { type: "null" };
}

/** A schema that must be there: anything but a field. */
function readSchema(walk: Walk, schema: ZodSchema, path: string): Node {
  const { node, isOptional } = readAny(walk, schema, path);
  return isOptional
    ? fault(walk, path, "only a field of an object can be optional or have a default: use nullable() here")
    : node;
}

function readAny(walk: Walk, schema: ZodSchema, path: string): Read {
  if (++walk.count > SCHEMA_COUNT || walk.level > SCHEMA_LEVELS) {
    if (!walk.isOver) fault(walk, path.slice(0, LONGEST_PATH), limitText(walk));
    walk.isOver = true;
    return { node: { type: "null" }, isOptional: false };
  }
  walk.level++;
  const read = walk.recursive.has(schema)
    ? { node: readNamed(walk, schema, path), isOptional: false }
    : readWhole(walk, schema, path);
  walk.level--;
  return read;
}

/** Characters of a path that a fault shows: one over a limit is endless. */
const LONGEST_PATH = 200;

const limitText = ({ count }: Walk): string =>
  count > SCHEMA_COUNT
    ? `there are more than ${LIMITS.contractNodes} fields up to here, each use of a schema counted`
    : `nests deeper than ${LIMITS.contractDepth}; a schema that holds itself must be one constant, not made anew by a function`;

/** One that holds itself is defined once, by its name. */
function readNamed(walk: Walk, schema: ZodSchema, path: string): Node {
  let name = walk.names.get(schema);
  if (name === undefined) {
    name = freeName(walk, annotationsOf(schema).title ?? "Node");
    walk.names.set(schema, name);
    walk.defs[name] = readWhole(walk, schema, path).node;
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

function readWhole(walk: Walk, schema: ZodSchema, path: string): Read {
  const refused = faultsOfChecks(schema);
  const def = definitionOf(schema);
  if (def.type !== "custom") for (const message of refused) fault(walk, path, message);
  const inner = wrappedBy(schema);
  const read = inner === null ? null : readAny(walk, inner, path);
  const node = read === null ? readKind(walk, schema, path) : readWrapper(walk, schema, read.node, path);
  const isOptional = read?.isOptional === true || def.type === "optional" || def.type === "default";
  return { node: { ...node, ...annotationsOf(schema) }, isOptional };
}

/** What a wrapper makes of what it wraps; what is said of a field stays on the field. */
function readWrapper(walk: Walk, schema: ZodSchema, inner: Node, path: string): Node {
  const def = definitionOf(schema);
  if (def.type === "default") {
    const given = storedDefault(def);
    return given.ok ? { ...inner, default: given.value } : fault(walk, path, given.message);
  }
  if (def.type !== "nullable") return inner;
  const isOfField = ([name]: [string, unknown]) =>
    name === "description" || name === "default" || name.startsWith("x-");
  const entries = Object.entries(inner);
  return {
    anyOf: [Object.fromEntries(entries.filter((entry) => !isOfField(entry))), { type: "null" }],
    ...Object.fromEntries(entries.filter(isOfField)),
  };
}

/** The default as it can be stored: Zod may be given a function, which a getter calls each time. */
function storedDefault(
  def: z.core.$ZodDefaultDef,
): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    const [given, again] = [def.defaultValue, def.defaultValue];
    return JSON.stringify(given) === JSON.stringify(again)
      ? { ok: true, value: given }
      : { ok: false, message: "the default is another one each time: give a value that can be stored" };
  } catch (error) {
    return {
      ok: false,
      message: `the default cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function readKind(walk: Walk, schema: ZodSchema, path: string): Node {
  const def = definitionOf(schema);
  if ("coerce" in def && def.coerce)
    return fault(walk, path, "coercion changes what callers send: give the type itself");
  switch (def.type) {
    case "string":
      return { type: "string", ...minimumOf(schema, "minLength") };
    case "number":
      return { type: isInteger(schema) ? "integer" : "number" };
    case "boolean":
    case "null":
      return { type: def.type };
    case "literal":
      return readValues(walk, def.values, path);
    case "enum":
      return readValues(walk, enumValues(def.entries), path);
    case "array":
      return {
        type: "array",
        items: readSchema(walk, def.element, `${path}[]`),
        ...minimumOf(schema, "minItems"),
      };
    case "object":
      return readObject(walk, def, path);
    case "record":
      return readRecord(walk, def, path);
    case "union":
      return readUnion(walk, def, path);
    default:
      return fault(walk, path, refusalOf(def.type));
  }
}

function readValues(walk: Walk, values: readonly unknown[], path: string): Node {
  for (const value of values)
    if (value !== null && !["string", "number", "boolean"].includes(typeof value))
      return fault(walk, path, `a value of type ${typeof value} has no place in JSON`);
  return values.length === 1 ? { const: values[0] } : { enum: [...values] };
}

function readUnion(walk: Walk, def: z.core.$ZodUnionDef, path: string): Node {
  // A discriminated union is exclusive too, by what tells its members apart.
  if (def.inclusive === false && !("discriminator" in def))
    return fault(walk, path, "z.xor has no place in a contract: use z.union, or z.discriminatedUnion");
  const members = def.options.map((option) => readSchema(walk, option, path));
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { anyOf: members };
}

function readRecord(walk: Walk, def: z.core.$ZodRecordDef, path: string): Node {
  if (definitionOf(def.keyType).type !== "string" || checksOf(def.keyType).length > 0)
    fault(walk, path, "the names of a record are any strings: use z.record(z.string(), …), or an object");
  return { type: "object", additionalProperties: readSchema(walk, def.valueType, `${path}{}`) };
}

function readObject(walk: Walk, { shape, catchall }: z.core.$ZodObjectDef, path: string): Node {
  if (catchall !== undefined)
    fault(
      walk,
      path,
      definitionOf(catchall).type === "never"
        ? 'a strict object refuses what it does not list, and a contract leaves it out: use z.object, and ask for extraFields: "refuse" at the render'
        : "a loose object has fields that nobody has described: use z.object",
    );
  const properties: [string, Node][] = [];
  const required: string[] = [];
  for (const [name, field] of Object.entries(shape)) {
    const { node, isOptional } = readAny(walk, field, path === "" ? name : `${path}.${name}`);
    properties.push([name, node]);
    if (!isOptional) required.push(name);
  }
  // Not set one by one: a field `__proto__` would be no field, and is to be refused.
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}
