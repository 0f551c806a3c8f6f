import type { Contract, Field, ObjectShape, Shape, UnionShape } from "./contract.ts";
import { nameTypes, pascal, type TypeNames } from "./types-names.ts";

/**
 * TypeScript types of the context as a caller sends it: fields that may be left out are optional; variants, and what stands
 * at several places or holds itself, have names of their own. The whole is exported under the contract's name:
 * `support-triage` gives `SupportTriageContext`.
 */
export function writeContractTypes(contract: Contract): string {
  const { name, variants } = contract;
  const whole = `${pascal(name)}Context`;
  const { names, groups } = nameTypes(contract, whole);
  const writer: Writer = { names, groups, told: new Set() };
  const constants = new Map<string, string[]>();
  for (const [shape, type] of groups)
    constants.set(type, [...(constants.get(type) ?? []), writeType(writer, shape, 0)]);
  const blocks = [...constants].map(([type, values]) => `${exported(type)}${values.join(" | ")};`);
  for (const [shape, type] of names) blocks.push(`${exported(type)}${writeInner(writer, shape, 0)};`);
  const union = variants.map((variant) => names.get(variant) ?? whole);
  if (variants.length > 1) blocks.push(`${exported(whole)}${union.join(" | ")};`);
  return `${[`/** What a render of a template written against the contract ${name} is given. */`, ...blocks.toReversed()].join("\n")}\n`;
}

type Writer = TypeNames & {
  /** Long descriptions that were written: many fields may have that of one definition. */
  readonly told: Set<string>;
};

const exported = (name: string): string => `export type ${name} = `;

function writeType(writer: Writer, shape: Shape, depth: number): string {
  return writer.names.get(shape) ?? writeInner(writer, shape, depth);
}

function writeInner(writer: Writer, shape: Shape, depth: number): string {
  switch (shape.kind) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return shape.kind;
    case "literal":
      return JSON.stringify(shape.value);
    case "list":
      return `Array<${writeType(writer, shape.item, depth)}>`;
    case "record":
      // Not Record<…>: a type may not lead back to itself through that.
      return `{ [name: string]: ${writeType(writer, shape.value, depth)} }`;
    case "object":
      return writeObject(writer, shape, depth);
    case "union":
      return writeUnion(writer, shape, depth);
    default:
      return shape satisfies never;
  }
}

function writeUnion(writer: Writer, { members }: UnionShape, depth: number): string {
  const types = members.map((member) => writer.groups.get(member) ?? writeType(writer, member, depth));
  return [...new Set(types)].join(" | ");
}

function writeObject(writer: Writer, { fields }: ObjectShape, depth: number): string {
  if (fields.size === 0) return "Record<string, never>";
  const indent = "  ".repeat(depth + 1);
  const lines = [...fields.values()].map(
    (field) =>
      `${indent}/** ${comment(writer, field)} */\n${indent}${property(field)}: ${writeType(writer, field.shape, depth + 1)};\n`,
  );
  return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
}

/** Characters of a description that is written again. */
const LONGEST_AGAIN = 300;

function comment({ told }: Writer, { description, default: given }: Field): string {
  const isLong = description.length > LONGEST_AGAIN;
  const isAgain = isLong && told.has(description);
  if (isLong) told.add(description);
  const text = (isAgain ? `${description.slice(0, LONGEST_AGAIN)}…` : description)
    .replaceAll(/\s+/g, " ")
    .replaceAll("*/", "*\\/");
  return given === undefined ? text : `${text} Default: ${JSON.stringify(given).replaceAll("*/", "*\\/")}.`;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

function property({ name, required }: Field): string {
  return `${IDENTIFIER.test(name) ? name : JSON.stringify(name)}${required ? "" : "?"}`;
}
