import { LIMITS } from "../limits.ts";
import type { ContractDocument } from "./document.ts";
import type { Fault } from "./fault-list.ts";
import { faultOfFieldName } from "./field-names.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

/** What is being read, and where. `isField`: a field of an object, which carries annotations of its own. */
type Place = { readonly path: string; readonly depth: number; readonly isField: boolean };

type Reader = {
  readonly faults: Fault[];
  readonly defs: JsonRecord;
  nodes: number;
  deepest: number;
  /** See `Read`. */
  over: string | null;
};

/** `node`: the document itself, once nothing is wrong with it. `over`: a limit that it is over, as the end of a sentence. */
type Read = {
  readonly faults: readonly Fault[];
  readonly node: ContractDocument | null;
  readonly over: string | null;
};

const ANNOTATIONS = ["title", "description", "default", "x-per-call", "x-warn-unused"];
const ROOT_ONLY = ["$schema", "$defs"];
const WARNING_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const REF = /^#\/\$defs\/([^/~]+)$/;

/** Reads the form of a document. */
export function readDocument(document: unknown): Read {
  const faults: Fault[] = [];
  if (!isRecord(document))
    return { faults: [{ path: "", message: "the document must be a JSON object" }], node: null, over: null };
  const { $defs } = document;
  if ($defs !== undefined && !isRecord($defs))
    faults.push({ path: "$defs", message: "must be an object of definitions" });
  const reader: Reader = { faults, defs: isRecord($defs) ? $defs : {}, nodes: 0, deepest: 0, over: null };
  let levels = 0;
  for (const [name, node] of Object.entries(reader.defs)) {
    reader.deepest = 1;
    readNode(reader, node, { path: `$defs.${name}`, depth: 1, isField: false });
    levels += reader.deepest;
  }
  readNode(reader, document, { path: "", depth: 0, isField: false });
  if (levels > LIMITS.contractLevels)
    reader.over ??= `has definitions of more than ${LIMITS.contractLevels} levels together (limit "contractLevels"): write those that are used once in their place`;
  const { over } = reader;
  return { faults, node: faults.length === 0 ? (document as ContractDocument) : null, over };
}

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function fault(reader: Reader, { path }: Place, message: string): void {
  reader.faults.push({ path, message });
}

function readNode(reader: Reader, node: unknown, place: Place): void {
  if (++reader.nodes > LIMITS.contractNodes)
    reader.over ??= `has more than ${LIMITS.contractNodes} fields (limit "contractNodes")`;
  if (place.depth > LIMITS.contractDepth)
    reader.over ??= `nests deeper than ${LIMITS.contractDepth} (limit "contractDepth")`;
  if (reader.over !== null) return;
  reader.deepest = Math.max(reader.deepest, place.depth);
  if (!isRecord(node)) return fault(reader, place, "must be a schema, which is a JSON object");
  readAnnotations(reader, node, place);
  if ("$ref" in node) return readRef(reader, node, place);
  if ("anyOf" in node) return readUnion(reader, node, place);
  if ("enum" in node) return readEnum(reader, node, place);
  if ("const" in node) {
    allow(reader, node, place, ["const", "type"]);
    if (!isScalar(node["const"])) fault(reader, place, "const must be a string, a number, a boolean or null");
    return;
  }
  return readType(reader, node, place);
}

function readType(reader: Reader, node: JsonRecord, place: Place): void {
  switch (node["type"]) {
    case "string":
      allow(reader, node, place, ["type", "minLength"]);
      return readCount(reader, node, place, "minLength");
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return allow(reader, node, place, ["type"]);
    case "array":
      allow(reader, node, place, ["type", "items", "minItems"]);
      readCount(reader, node, place, "minItems");
      return readNode(reader, node["items"], {
        path: `${place.path}[]`,
        depth: place.depth + 1,
        isField: false,
      });
    case "object":
      return readObject(reader, node, place);
    case undefined:
      return fault(
        reader,
        place,
        "has no type; write type, enum, const, anyOf or $ref (allOf, oneOf and not are not supported)",
      );
    default:
      return fault(
        reader,
        place,
        `type ${JSON.stringify(node["type"])?.slice(0, 60)} is not supported; there are string, number, integer, boolean, null, array and object, and anyOf for several`,
      );
  }
}

function readObject(reader: Reader, node: JsonRecord, place: Place): void {
  const { properties, required, additionalProperties } = node;
  if (properties === undefined) {
    allow(reader, node, place, ["type", "additionalProperties"]);
    if (!isRecord(additionalProperties))
      return fault(
        reader,
        place,
        "an object lists its fields in properties; a record says in additionalProperties what its values are",
      );
    return readNode(reader, additionalProperties, {
      path: `${place.path}{}`,
      depth: place.depth + 1,
      isField: false,
    });
  }
  allow(reader, node, place, ["type", "properties", "required", "additionalProperties"]);
  if (additionalProperties !== undefined && additionalProperties !== false)
    fault(reader, place, "lists its fields, so that additionalProperties can only be false");
  if (!isRecord(properties)) return fault(reader, place, "properties must be an object of schemas");
  readRequired(reader, properties, required, place);
  for (const [name, field] of Object.entries(properties)) {
    const path = place.path === "" ? name : `${place.path}.${name}`;
    const at = { path, depth: place.depth + 1, isField: true };
    const wrong = faultOfFieldName(name);
    if (wrong !== null) fault(reader, at, wrong);
    readNode(reader, field, at);
    if (isRecord(field) && descriptionOf(reader, field) === "")
      fault(reader, at, "has no description; say what it holds, since authors of templates rely on it");
  }
}

function readRequired(reader: Reader, properties: JsonRecord, required: unknown, place: Place): void {
  if (required === undefined) return;
  if (!Array.isArray(required)) return fault(reader, place, "required must be a list of names");
  const seen = new Set<unknown>();
  for (const name of required) {
    if (typeof name !== "string" || !Object.hasOwn(properties, name))
      fault(
        reader,
        place,
        `required names ${JSON.stringify(name)?.slice(0, 60)}, which is not among the properties`,
      );
    else if (seen.has(name)) fault(reader, place, `required names ${JSON.stringify(name)} twice`);
    seen.add(name);
  }
}

/** A field's own description, else that of the definition it refers to. */
export function descriptionText(defs: JsonRecord, node: JsonRecord): string {
  const { description, $ref } = node;
  if (typeof description === "string" && description.trim() !== "") return description.trim();
  const name = typeof $ref === "string" ? REF.exec($ref)?.[1] : undefined;
  const target = name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
  return isRecord(target) && typeof target["description"] === "string" ? target["description"].trim() : "";
}

const descriptionOf = (reader: Reader, node: JsonRecord): string => descriptionText(reader.defs, node);

function readRef(reader: Reader, node: JsonRecord, place: Place): void {
  allow(reader, node, place, ["$ref"]);
  const name = typeof node["$ref"] === "string" ? REF.exec(node["$ref"])?.[1] : undefined;
  if (name === undefined) return fault(reader, place, "$ref must be #/$defs/ and the name of a definition");
  if (!Object.hasOwn(reader.defs, name))
    fault(reader, place, `$ref names the definition ${name.slice(0, 60)}, which does not exist`);
}

function readUnion(reader: Reader, node: JsonRecord, place: Place): void {
  allow(reader, node, place, ["anyOf"]);
  const members = node["anyOf"];
  if (Array.isArray(members) && members.length > MOST_MEMBERS)
    return fault(reader, place, `anyOf lists more than ${MOST_MEMBERS} schemas`);
  if (!Array.isArray(members) || members.length < 2)
    return fault(reader, place, "anyOf must list at least two schemas; write a single one in its place");
  for (const [i, member] of members.entries()) {
    const title = isRecord(member) && typeof member["title"] === "string" ? member["title"] : `anyOf ${i}`;
    readNode(reader, member, {
      path: `${place.path}<${title.slice(0, 60)}>`,
      depth: place.depth + 1,
      isField: false,
    });
  }
}

function readEnum(reader: Reader, node: JsonRecord, place: Place): void {
  allow(reader, node, place, ["enum", "type"]);
  const values = node["enum"];
  if (!Array.isArray(values) || values.length === 0)
    return fault(reader, place, "enum must list at least one value");
  if (values.length > MOST_VALUES) fault(reader, place, `enum lists more than ${MOST_VALUES} values`);
  if (!values.every(isScalar)) fault(reader, place, "enum takes strings, numbers, booleans and null");
  else if (new Set(values).size < values.length) fault(reader, place, "enum lists a value twice");
}

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

function readCount(reader: Reader, node: JsonRecord, place: Place, name: "minLength" | "minItems"): void {
  const count = node[name];
  if (count === undefined) return;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || count > MOST)
    fault(reader, place, `${name} must be a whole number from 0 to ${MOST}`);
}

/** Schemas and constants of one union: what a check has to tell apart at each condition. */
export const MOST_MEMBERS = 100;
export const MOST_VALUES = 500;

/** Items or characters that can be asked for. */
const MOST = 1_000;

function allow(reader: Reader, node: JsonRecord, place: Place, keywords: readonly string[]): void {
  for (const name of Object.keys(node)) {
    if (
      keywords.includes(name) ||
      ANNOTATIONS.includes(name) ||
      (place.depth === 0 && ROOT_ONLY.includes(name))
    )
      continue;
    fault(
      reader,
      place,
      `the keyword ${JSON.stringify(name.slice(0, 60))} is not supported here; there are ${keywords.join(", ")}`,
    );
  }
}

function readAnnotations(reader: Reader, node: JsonRecord, place: Place): void {
  const { title, description } = node;
  if (
    title !== undefined &&
    (typeof title !== "string" || title.trim() === "" || title.length > LONGEST_TITLE)
  )
    fault(reader, place, `title must be a text of at most ${LONGEST_TITLE} characters, and not blank`);
  if (description !== undefined && typeof description !== "string")
    fault(reader, place, "description must be a text");
  for (const name of ["default", "x-per-call", "x-warn-unused"])
    if (name in node && !place.isField) fault(reader, place, `${name} belongs on a field of an object`);
  if ("x-per-call" in node && node["x-per-call"] !== true)
    fault(reader, place, "x-per-call can only be true");
  const code = node["x-warn-unused"];
  if (code !== undefined && (typeof code !== "string" || !WARNING_CODE.test(code)))
    fault(reader, place, "x-warn-unused must be the code of a warning: [a-z][a-z0-9_]*");
}

const LONGEST_TITLE = 100;
