import type { Json } from "../template.ts";
import type { Field, ListShape, ObjectShape, Shape, UnionShape } from "./contract.ts";
import type { ContractDocument, DocumentNode } from "./document.ts";
import type { Fault } from "./fault-list.ts";
import { descriptionText, MOST_MEMBERS, MOST_VALUES } from "./read-document.ts";
import { reachableFrom } from "./shapes.ts";
import { shareUnions } from "./share-unions.ts";
import { createJudge, type Judge } from "./validator.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type Builder = {
  readonly defs: Readonly<Record<string, DocumentNode>>;
  readonly built: Map<string, Shape>;
  readonly unions: { readonly union: Mutable<UnionShape>; readonly path: string }[];
  readonly defaults: { readonly shape: Shape; readonly value: Json; readonly path: string }[];
  readonly objects: { readonly shape: ObjectShape; readonly path: string }[];
  readonly faults: Fault[];
  /** Definitions that are only another's name so far: a circle of them means nothing. */
  readonly following: Set<string>;
};

type Built =
  | { readonly ok: true; readonly root: ObjectShape | UnionShape }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Follows every `$ref` of a document whose form is right; what it means is judged here. */
export function buildShapes(document: ContractDocument): Built {
  const builder: Builder = {
    defs: document.$defs ?? {},
    built: new Map(),
    unions: [],
    defaults: [],
    objects: [],
    faults: [],
    following: new Set(),
  };
  const root = build(builder, document, "");
  for (const name of Object.keys(builder.defs)) buildRef(builder, name, `$defs.${name}`);
  for (const { union, path } of builder.unions) flatten(builder, union, path);
  if (builder.faults.length > 0) return { ok: false, faults: builder.faults };
  refuseEndless(builder, root);
  refuseTitles(builder, root);
  const judge = createJudge();
  if (builder.faults.length === 0) for (const one of builder.defaults) refuseDefault(builder, judge, one);
  if (builder.faults.length > 0) return { ok: false, faults: builder.faults };
  return { ok: true, root: shareUnions(root) as ObjectShape | UnionShape };
}

/** Called as soon as a shape has its place, before it is whole, so that it may lead back to itself. */
type Register = (shape: Shape) => void;

function build(
  builder: Builder,
  node: DocumentNode,
  path: string,
  register: Register = () => {},
  definition: string | null = null,
): Shape {
  if ("$ref" in node) return buildRef(builder, node.$ref.slice("#/$defs/".length), path);
  if ("anyOf" in node) {
    const members: Shape[] = [];
    const union: Mutable<UnionShape> = { kind: "union", members };
    register(union);
    builder.unions.push({ union, path });
    for (const member of node.anyOf) members.push(build(builder, member, `${path}<${member.title ?? "…"}>`));
    return union;
  }
  if ("enum" in node) {
    const literals = node.enum.map(literalOf);
    const [only] = literals;
    return literals.length === 1 && only !== undefined ? only : { kind: "union", members: literals };
  }
  if ("const" in node) return literalOf(node.const);
  switch (node.type) {
    case "string":
      return { kind: "string", minLength: node.minLength ?? 0 };
    case "number":
    case "integer":
      return { kind: "number", integer: node.type === "integer" };
    case "boolean":
    case "null":
      return { kind: node.type };
    case "array": {
      const list: Mutable<ListShape> = { kind: "list", item: { kind: "null" }, minItems: node.minItems ?? 0 };
      register(list);
      list.item = build(builder, node.items, `${path}[]`);
      return list;
    }
    case "object":
      return "properties" in node
        ? buildObject(builder, node, path, register, definition)
        : buildRecord(builder, node.additionalProperties, path, register);
    default:
      return node satisfies never;
  }
}

const literalOf = (value: string | number | boolean | null): Shape =>
  value === null ? { kind: "null" } : { kind: "literal", value };

function buildRecord(builder: Builder, values: DocumentNode, path: string, register: Register): Shape {
  const record: { kind: "record"; value: Shape } = { kind: "record", value: { kind: "null" } };
  register(record);
  record.value = build(builder, values, `${path}{}`);
  return record;
}

type ObjectNode = Extract<DocumentNode, { properties: unknown }>;

/** `definition`: the name of the definition that it is, which stands for a title. */
function buildObject(
  builder: Builder,
  node: ObjectNode,
  path: string,
  register: Register,
  definition: string | null,
): Shape {
  const fields = new Map<string, Field>();
  const shape: ObjectShape = { kind: "object", title: node.title ?? definition, fields };
  register(shape);
  builder.objects.push({ shape, path });
  const required = new Set(node.required ?? []);
  for (const [name, field] of Object.entries(node.properties)) {
    const at = path === "" ? name : `${path}.${name}`;
    const inner = build(builder, field, at);
    if (field.default !== undefined) builder.defaults.push({ shape: inner, value: field.default, path: at });
    fields.set(name, {
      name,
      shape: inner,
      required: required.has(name) && field.default === undefined,
      default: field.default,
      description: descriptionText(builder.defs, field),
      perCall: field["x-per-call"] === true,
      warnUnused: field["x-warn-unused"] ?? null,
    });
  }
  return shape;
}

/** A definition, built once. One that is only another's name may not lead back to itself. */
function buildRef(builder: Builder, name: string, path: string): Shape {
  const before = builder.built.get(name);
  if (before !== undefined) return before;
  const node = builder.defs[name];
  if (node === undefined) throw new Error(`the definition ${name} was not read`);
  if (builder.following.has(name)) {
    builder.faults.push({ path, message: `the definition ${name} is only another name for itself` });
    return { kind: "null" };
  }
  builder.following.add(name);
  const register = (early: Shape) => {
    builder.built.set(name, early);
    builder.following.delete(name);
  };
  const shape = build(builder, node, `$defs.${name}`, register, name);
  builder.following.delete(name);
  builder.built.set(name, shape);
  return shape;
}

/** Unions in a union become its members. One that leads back to itself on that way is none. */
function flatten(builder: Builder, union: Mutable<UnionShape>, path: string): void {
  const members = new Set<Shape>();
  const seen = new Set<Shape>();
  const open: Shape[] = union.members.toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === union) {
      builder.faults.push({ path, message: "anyOf leads back to itself" });
      return;
    }
    if (next.kind !== "union") {
      members.add(next);
      if (members.size > MOST_MEMBERS + MOST_VALUES) break;
    } else if (!seen.has(next)) {
      seen.add(next);
      open.push(...next.members.toReversed());
    }
  }
  union.members = [...members];
  const values = union.members.filter(({ kind }) => kind === "literal").length;
  if (members.size - values > MOST_MEMBERS || values > MOST_VALUES)
    builder.faults.push({
      path,
      message: `anyOf comes to more than ${MOST_MEMBERS} schemas or ${MOST_VALUES} constants, with those of the unions in it`,
    });
}

/** An object that needs one of itself can never be given. */
function refuseEndless(builder: Builder, root: Shape): void {
  const finite = new Set<Shape>();
  const isFinite = (shape: Shape): boolean => {
    switch (shape.kind) {
      case "list":
        return shape.minItems === 0 || finite.has(shape.item);
      case "object":
        return [...shape.fields.values()].every((field) => !field.required || finite.has(field.shape));
      case "union":
        return shape.members.some((member) => finite.has(member));
      default:
        return true;
    }
  };
  const shapes = reachableFrom([root, ...builder.built.values()]).toReversed();
  for (let before = -1; before < finite.size;) {
    before = finite.size;
    for (const shape of shapes) if (!finite.has(shape) && isFinite(shape)) finite.add(shape);
  }
  for (const { shape, path } of builder.objects)
    if (!finite.has(shape))
      builder.faults.push({
        path,
        message:
          "needs another of itself without end, so that no value fits: make a field on the way optional, nullable or a list",
      });
  if (builder.faults.length === 0 && !finite.has(root))
    builder.faults.push({ path: "", message: "no value fits it" });
}

/** The root is an object, or objects that a title tells apart. */
function refuseTitles(builder: Builder, root: Shape): void {
  if (root.kind === "object") return;
  if (root.kind !== "union" || root.members.some(({ kind }) => kind !== "object")) {
    builder.faults.push({ path: "", message: "the context is an object, or anyOf objects (variants)" });
    return;
  }
  const titles = root.members.map((member) => (member.kind === "object" ? member.title : null));
  if (titles.includes(null)) builder.faults.push({ path: "", message: "each variant needs a title" });
  else if (new Set(titles).size < titles.length)
    builder.faults.push({ path: "", message: "two variants have the same title" });
}

function refuseDefault(
  builder: Builder,
  judge: Judge,
  { shape, value, path }: Builder["defaults"][number],
): void {
  if (value === null) {
    builder.faults.push({ path, message: "default is null: make the field optional instead" });
    return;
  }
  const { copy, faults } = judge(shape, value);
  // What the shape does not keep of it would come to light with a later version that does.
  const [first] = [...faults, ...lostOf(value, copy, "")];
  if (first !== undefined)
    builder.faults.push({
      path,
      message: `default does not fit: ${first.path === "" ? "" : `${first.path} `}${first.message}`,
    });
}

/** What is in a value and not in the copy that a shape made of it. */
function lostOf(value: Json, copy: Json | undefined, path: string): Fault[] {
  if (typeof value !== "object" || value === null || typeof copy !== "object" || copy === null) return [];
  const kept = new Map(Object.entries(copy));
  return Object.entries(value).flatMap(([name, inner]: [string, Json]) => {
    const at = Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    return kept.has(name)
      ? lostOf(inner, kept.get(name), at)
      : [
          {
            path: at,
            message:
              inner === null ? "is null, which counts as absent: leave it out" : "is not a field there",
          },
        ];
  });
}
