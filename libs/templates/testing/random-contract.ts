import type { ContractDocument, DocumentNode, Json, JsonObject } from "@incipit/schema";
import type { Random } from "./random.ts";

const NAMES = [
  "name",
  "title",
  "owner",
  "items",
  "note",
  "kind",
  "user-id",
  "größe",
  "count",
  "flag",
  "meta",
  "next",
];
const WORDS = ["a", "b", "red", "[object Object]"];

/** A random contract: objects three deep, with all that a contract may hold. */
export function randomDocument(random: Random): ContractDocument {
  const $defs = { Node: randomNode(random) };
  if (random.chance(0.35)) {
    const shared = randomFields(random, 2, 2);
    const variants = ["First", "Second", "Third"].slice(0, 2 + random.int(2)).map((title) => {
      const own = randomFields(random, 2, 1 + random.int(2));
      return {
        type: "object" as const,
        title,
        properties: { ...own.properties, ...shared.properties },
        required: [...new Set([...own.required, ...shared.required])],
      };
    });
    return { anyOf: variants, $defs };
  }
  return { ...randomObject(random, 3), $defs };
}

/** An object that may hold another of itself. */
function randomNode(random: Random): DocumentNode {
  if (random.chance(0.2))
    return {
      type: "object",
      properties: {
        name: { type: "string", description: "d" },
        next: { type: "object", additionalProperties: { $ref: "#/$defs/Node" }, description: "d" },
        owner: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }], description: "d" },
      },
      required: ["name", "next"],
    };
  const next = random.chance(0.5)
    ? { $ref: "#/$defs/Node", description: "d" }
    : { type: "array" as const, items: { $ref: "#/$defs/Node" }, description: "d" };
  return {
    type: "object",
    properties: { name: { type: "string", description: "d" }, next },
    required: "items" in next ? ["name", "next"] : ["name"],
  };
}

function randomFields(random: Random, depth: number, count: number) {
  const properties: Record<string, DocumentNode> = {};
  const required: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = random.pick(NAMES);
    const type = randomType(random, depth - 1);
    const field: DocumentNode = { ...type, description: "d", ...randomDefault(random, type) };
    properties[name] = field;
    if (random.chance(0.6) && !required.includes(name)) required.push(name);
  }
  const [first, ...others] = Object.keys(properties);
  // A field by which to look up the others.
  if (first !== undefined && random.chance(0.12))
    properties[first] = {
      enum: [others[0] ?? first, ...(others.length > 0 && random.chance(0.3) ? [first] : [])],
      description: "d",
    };
  return { properties, required };
}

function randomDefault(random: Random, type: DocumentNode): { default?: Json } {
  const value = random.chance(0.1) ? sampleOf(random, type) : null;
  return value === null ? {} : { default: value };
}

/** A value that a node allows; null where there is none but null, or it leads to a definition. */
function sampleOf(random: Random, node: DocumentNode): Json {
  if ("anyOf" in node) return sampleOf(random, random.pick(node.anyOf));
  if ("enum" in node) return random.pick(node.enum);
  if ("const" in node) return node.const;
  if ("$ref" in node) return null;
  switch (node.type) {
    case "string":
      return random.chance(0.7) || "minLength" in node ? "by default" : "";
    case "integer":
    case "number":
      return random.int(3);
    case "boolean":
      return random.chance(0.5);
    case "array": {
      const items = Array.from({ length: "minItems" in node ? (node.minItems ?? 0) : random.int(2) }, () =>
        "items" in node ? sampleOf(random, node.items) : null,
      );
      return "items" in node && items.includes(null) && !takesNull(node.items) ? null : items;
    }
    case "object":
      return "properties" in node ? sampleObject(random, node.properties, node.required ?? []) : {};
    default:
      return null;
  }
}

function sampleObject(
  random: Random,
  properties: Readonly<Record<string, DocumentNode>>,
  required: readonly string[],
): Json {
  const value: JsonObject = {};
  for (const [name, node] of Object.entries(properties)) {
    if (!required.includes(name) && random.chance(0.5)) continue;
    const field = sampleOf(random, node);
    if (field === null && !takesNull(node)) {
      if (required.includes(name)) return null;
      continue;
    }
    value[name] = field;
  }
  return value;
}

const takesNull = (node: DocumentNode): boolean =>
  "anyOf" in node
    ? node.anyOf.some(takesNull)
    : "enum" in node
      ? node.enum.includes(null)
      : "type" in node && node.type === "null";

function randomObject(random: Random, depth: number): DocumentNode {
  return { type: "object", ...randomFields(random, depth, 2 + random.int(3)) };
}

function randomScalar(random: Random): DocumentNode {
  switch (random.int(7)) {
    case 0:
    case 1:
      return { type: "string" };
    case 2:
      return { type: "string", minLength: 1 };
    case 3:
      return { type: "integer" };
    case 4:
      return { type: "number" };
    case 5:
      return {
        enum: random.pick([
          ["a", "b"],
          ["red", ""],
          [0, 1],
          ["a", null],
          [true, "b"],
          [false, 0, ""],
          [null, 0, 2],
          ["name", "title"],
          ["a", "name", "mode"],
          ["0", "length"],
          [1],
        ]),
      };
    default:
      return { type: "boolean" };
  }
}

function randomType(random: Random, depth: number): DocumentNode {
  if (depth <= 0 || random.chance(0.35)) {
    const scalar = randomScalar(random);
    return random.chance(0.25) ? { anyOf: [scalar, { type: "null" }] } : scalar;
  }
  switch (random.int(12)) {
    case 0:
    case 1:
      return randomObject(random, depth);
    case 9:
      return {
        type: "array",
        items: { anyOf: [randomType(random, depth - 2), { type: "null" }] },
        ...(random.chance(0.3) ? { minItems: 1 } : {}),
      };
    case 10:
      return {
        anyOf: [
          random.chance(0.7) ? randomObject(random, depth) : randomScalar(random),
          { type: "array", items: randomType(random, depth - 1) },
          ...(random.chance(0.4) ? [{ type: "string" as const }] : []),
          ...(random.chance(0.5) ? [{ type: "null" as const }] : []),
        ],
      };
    case 11:
      return {
        type: "object",
        additionalProperties: { type: "array", items: randomType(random, depth - 2) },
      };
    case 2:
      return { anyOf: [randomObject(random, depth), { type: "null" }] };
    case 3:
      return { type: "array", items: randomType(random, depth - 1) };
    case 4:
      return { type: "array", minItems: 1 + random.int(2), items: randomType(random, depth - 1) };
    case 5:
      return { type: "object", additionalProperties: randomType(random, depth - 1) };
    case 6:
      return tagged(random, depth);
    case 7:
      return { $ref: "#/$defs/Node" };
    default:
      return { anyOf: [randomScalar(random), { type: "array", items: randomScalar(random) }] };
  }
}

/** A union of objects that a constant tells apart. */
function tagged(random: Random, depth: number): DocumentNode {
  const member = (kind: string): DocumentNode => {
    const { properties, required } = randomFields(random, depth, 1 + random.int(2));
    return {
      type: "object",
      title: kind,
      properties: { ...properties, kind: { const: kind, description: "d" } },
      required: [...new Set([...required, "kind"])],
    };
  };
  return { anyOf: [member(WORDS[0] ?? "a"), member(WORDS[1] ?? "b")] };
}
