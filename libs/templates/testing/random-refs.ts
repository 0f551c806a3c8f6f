import type { Shape } from "@incipit/schema";
import type { Random } from "./random.ts";

/** A value that can be written: how, what it may be, and whether it may be null or absent there. */
export type Ref = { readonly text: string; readonly shape: Shape; readonly maybe: boolean };

/** A scope as it lies around a place: what is current in it, and the block parameters that name it. */
export type Scope = { readonly shape: Shape | null; readonly isLoop: boolean; readonly name: string | null };

/** What surrounds a place in a template. */
export type Around = { readonly random: Random; readonly root: Shape; readonly scopes: readonly Scope[] };

/** A value that can be read here: a field of a scope around, of `@root`, or of a block parameter. */
export function pickRef({ random, scopes, root }: Around): Ref | null {
  const refs: Ref[] = [];
  scopes.forEach((scope, up) => {
    const { shape, name } = scope;
    if (shape === null) return;
    const prefix = "../".repeat(up);
    const hidden = (field: string) => up === 0 && scopes.some((other) => other.name === field);
    for (const field of fieldsOf(shape))
      if (!hidden(field.text)) refs.push({ ...field, text: prefix + field.text });
    if (name !== null && scopes.findIndex((other) => other.name === name) === up) {
      for (const field of fieldsOf(shape)) refs.push({ ...field, text: `${name}.${field.text}` });
      if (isScalar(shape)) refs.push({ text: name, shape, maybe: mayBeNull(shape) });
    }
    if (isScalar(shape))
      refs.push({
        text: up === 0 ? "this" : "../".repeat(up).replace(/\/$/, ""),
        shape,
        maybe: mayBeNull(shape),
      });
  });
  if (random.chance(0.15))
    for (const field of fieldsOf(root)) refs.push({ ...field, text: `@root.${field.text}` });
  if (refs.length === 0) return null;
  let ref = random.pick(refs);
  while (!ref.maybe && !isScalar(ref.shape) && without(ref.shape).kind === "object" && random.chance(0.4)) {
    const fields = fieldsOf(without(ref.shape));
    if (fields.length === 0) break;
    const field = random.pick(fields);
    ref = { ...field, text: `${ref.text}.${field.text}` };
  }
  return ref;
}

/** The fields of an object, or of any of a union's: those that not all have may be absent. */
export function fieldsOf(shape: Shape): Ref[] {
  if (shape.kind === "object")
    return [...shape.fields.values()].map(({ name, shape: of, required, default: given }) => ({
      text: name,
      shape: of,
      maybe: (!required && given === undefined) || mayBeNull(of),
    }));
  if (shape.kind !== "union") return [];
  const objects = shape.members.filter((member) => member.kind === "object");
  if (objects.length === 0) return [];
  const refs = objects.flatMap(fieldsOf);
  return [...new Set(refs.map(({ text }) => text))].map((text) => {
    const same = refs.filter((ref) => ref.text === text);
    const [first] = same;
    if (first === undefined) throw new Error("a field without a member");
    const isEverywhere = same.length === shape.members.length;
    return { text, shape: first.shape, maybe: !isEverywhere || same.some(({ maybe }) => maybe) };
  });
}

const SCALARS = new Set(["string", "number", "boolean", "literal", "null"]);

/** Whether all values of a shape can be printed, or are null. */
export function isScalar(shape: Shape): boolean {
  return shape.kind === "union" ? shape.members.every(isScalar) : SCALARS.has(shape.kind);
}

/** Whether a shape takes null. */
export function mayBeNull(shape: Shape): boolean {
  return shape.kind === "union" ? shape.members.some(mayBeNull) : shape.kind === "null";
}

/** A shape where null is ruled out. */
export function without(shape: Shape): Shape {
  if (shape.kind !== "union") return shape;
  const members = shape.members.filter(({ kind }) => kind !== "null");
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { kind: "union", members };
}
