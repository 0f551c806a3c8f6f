import type { ContractDocument } from "@incipit/schema";
import { randomDocument } from "./random-contract.ts";
import type { Random } from "./random.ts";

type Node = Record<string, unknown>;

const NAMES = ["name", "title", "kind", "extra", "note"];

/** A document that is another by some edits: some add to it, some widen it, some narrow it, some change nothing. */
export function editedDocument(random: Random, document: ContractDocument): unknown {
  const copy = structuredClone(document) as unknown as Node;
  for (let left = 1 + random.int(3); left > 0; left--) edit(random, copy);
  return copy;
}

function edit(random: Random, document: Node): void {
  const nodes = nodesOf(document);
  const objects = nodes.filter(({ properties }) => properties !== undefined);
  const unions = nodes.filter(({ anyOf }) => anyOf !== undefined);
  switch (random.int(13)) {
    case 0:
    case 1:
      return addField(random, random.pick(objects), false);
    case 2:
      return addField(random, random.pick(objects), true);
    case 3:
      return toggleRequired(random, random.pick(objects));
    case 4:
      return toggleDefault(random, random.pick(objects));
    case 5:
      return makeNullable(random, random.pick(objects));
    case 6:
    case 7:
      return unions.length === 0 ? undefined : addMember(random, random.pick(unions));
    case 8:
      return unions.length === 0 ? undefined : turnAround(random.pick(unions));
    case 9:
      return unions.length === 0 ? undefined : rename(random.pick(membersOf(random.pick(unions))));
    case 10:
      return reorder(random.pick(objects));
    case 11:
      return dropField(random, random.pick(objects));
    default:
      return loosen(random.pick(nodes));
  }
}

/** Every schema of a document, itself included. */
function nodesOf(node: Node): Node[] {
  const inner = [
    node["items"],
    node["additionalProperties"],
    ...Object.values(fieldsOf(node)),
    ...membersOf(node),
  ];
  const defs = Object.values((node["$defs"] ?? {}) as Record<string, Node>);
  const nodes = [...inner, ...defs].filter((one) => one !== undefined) as Node[];
  return [node, ...nodes.flatMap(nodesOf)];
}

const fieldsOf = (node: Node) => (node["properties"] ?? {}) as Record<string, Node>;
const membersOf = (node: Node) => (node["anyOf"] ?? []) as Node[];
const requiredOf = (node: Node) => (node["required"] ??= []) as string[];

function fieldOf(random: Random): Node {
  const other = randomDocument(random) as unknown as Node;
  const fields = nodesOf(other).flatMap((node) => Object.values(fieldsOf(node)));
  const field = random.pick(fields.filter((one) => !JSON.stringify(one).includes("$ref")));
  return field ?? { type: "string", description: "d" };
}

function addField(random: Random, object: Node, isRequired: boolean): void {
  const name = random.pick(NAMES);
  if (name in fieldsOf(object)) return;
  fieldsOf(object)[name] = fieldOf(random);
  if (isRequired) requiredOf(object).push(name);
}

function pickField(random: Random, object: Node): string | undefined {
  const names = Object.keys(fieldsOf(object));
  return names.length === 0 ? undefined : random.pick(names);
}

function toggleRequired(random: Random, object: Node): void {
  const name = pickField(random, object);
  if (name === undefined) return;
  const required = requiredOf(object);
  object["required"] = required.includes(name) ? required.filter((one) => one !== name) : [...required, name];
}

function toggleDefault(random: Random, object: Node): void {
  const field = fieldsOf(object)[pickField(random, object) ?? ""];
  if (field === undefined) return;
  if ("default" in field) delete field["default"];
  else if (field["type"] === "string") field["default"] = "given";
  else if (field["type"] === "boolean") field["default"] = true;
}

function makeNullable(random: Random, object: Node): void {
  const name = pickField(random, object);
  const field = fieldsOf(object)[name ?? ""];
  if (name === undefined || field === undefined) return;
  const { description, default: given, ...type } = field;
  fieldsOf(object)[name] = {
    anyOf: [type, { type: "null" }],
    description,
    ...(given !== undefined && { default: given }),
  };
}

function addMember(random: Random, union: Node): void {
  const members = membersOf(union);
  const { description: _, default: __, ...type } = fieldOf(random);
  const model = random.pick(members);
  const member = random.chance(0.5) ? structuredClone(model) : type;
  rename(member);
  if (random.chance(0.5) && "kind" in fieldsOf(member))
    fieldsOf(member)["kind"] = { const: "c", description: "d" };
  members.splice(random.int(members.length + 1), 0, member);
}

function turnAround(union: Node): void {
  union["anyOf"] = membersOf(union).toReversed();
}

function rename(node: Node): void {
  if (typeof node["title"] === "string") node["title"] += "x";
}

function reorder(object: Node): void {
  object["properties"] = Object.fromEntries(Object.entries(fieldsOf(object)).toReversed());
}

function dropField(random: Random, object: Node): void {
  const name = pickField(random, object);
  if (name === undefined) return;
  delete fieldsOf(object)[name];
  object["required"] = requiredOf(object).filter((one) => one !== name);
}

function loosen(node: Node): void {
  if (node["type"] === "integer") node["type"] = "number";
  else if (node["minLength"] !== undefined) delete node["minLength"];
  else if (node["minItems"] !== undefined) delete node["minItems"];
  else if (node["enum"] !== undefined) node["enum"] = [...(node["enum"] as unknown[]), "more"];
}
