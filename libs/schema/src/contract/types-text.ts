import type { Contract, Field, ObjectShape, Shape } from "./contract.ts";

/**
 * TypeScript types of the context as a caller sends it: fields that may be left out are optional, recursive objects and
 * variants have names of their own. The whole is exported under the contract's name: `support-triage` gives
 * `SupportTriageContext`.
 */
export function writeContractTypes({ name, variants }: Contract): string {
  const whole = `${pascal(name)}Context`;
  const names = nameShapes(variants, whole);
  const writer: Writer = { names };
  const blocks: string[] = [];
  for (const [shape, type] of names) blocks.push(`${exported(type)}${writeInner(writer, shape, 0)};`);
  const union = variants.map((variant) => names.get(variant) ?? whole);
  if (variants.length > 1) blocks.push(`${exported(whole)}${union.join(" | ")};`);
  return `${[`/** What a render of a template written against the contract ${name} is given. */`, ...blocks.toReversed()].join("\n")}\n`;
}

type Writer = { readonly names: ReadonlyMap<Shape, string> };

const exported = (name: string): string => `export type ${name} = `;

/** Names that the types themselves use. */
const BUILT_IN = ["Array", "Record"];

/** Names for what needs one: the context, its variants, and shapes that hold themselves. */
function nameShapes(variants: readonly ObjectShape[], whole: string): Map<Shape, string> {
  const names = new Map<Shape, string>();
  const taken = new Set<string>([...BUILT_IN, whole]);
  const give = (shape: Shape, wanted: string) => {
    let name = wanted;
    for (let i = 2; taken.has(name); i++) name = `${wanted}${i}`;
    taken.add(name);
    names.set(shape, name);
  };
  const [only] = variants;
  const isOne = variants.length === 1;
  for (const shape of recursiveShapes(variants))
    if (!isOne || shape !== only)
      give(shape, pascal((shape.kind === "object" ? shape.title : null) ?? "Node"));
  for (const variant of variants) {
    if (isOne) names.set(variant, whole);
    else if (!names.has(variant)) give(variant, pascal(variant.title ?? "Variant"));
  }
  return names;
}

/** One shape of each circle: what leads back to it is written by its name. */
function recursiveShapes(roots: readonly ObjectShape[]): Shape[] {
  const recursive = new Set<Shape>();
  const done = new Set<Shape>();
  const path = new Set<Shape>();
  const walk = (shape: Shape): void => {
    if (path.has(shape)) recursive.add(shape);
    if (path.has(shape) || done.has(shape)) return;
    path.add(shape);
    for (const inner of innerOf(shape)) walk(inner);
    path.delete(shape);
    done.add(shape);
  };
  for (const root of roots) walk(root);
  return [...recursive];
}

function innerOf(shape: Shape): Shape[] {
  if (shape.kind === "list") return [shape.item];
  if (shape.kind === "record") return [shape.value];
  if (shape.kind === "union") return [...shape.members];
  return shape.kind === "object" ? [...shape.fields.values()].map((field) => field.shape) : [];
}

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
      return shape.members.map((member) => writeType(writer, member, depth)).join(" | ");
    default:
      return shape satisfies never;
  }
}

function writeObject(writer: Writer, { fields }: ObjectShape, depth: number): string {
  if (fields.size === 0) return "Record<string, never>";
  const indent = "  ".repeat(depth + 1);
  const lines = [...fields.values()].map(
    (field) =>
      `${indent}/** ${comment(field)} */\n${indent}${property(field)}: ${writeType(writer, field.shape, depth + 1)};\n`,
  );
  return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
}

function comment({ description, default: given }: Field): string {
  const text = description.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/");
  return given === undefined ? text : `${text} Default: ${JSON.stringify(given).replaceAll("*/", "*\\/")}.`;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

function property({ name, required }: Field): string {
  return `${IDENTIFIER.test(name) ? name : JSON.stringify(name)}${required ? "" : "?"}`;
}

function pascal(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^\p{L}/u.test(name) ? name : `Context${name}`;
}
