import { type Access, accessRoot, extend, fieldOf, fieldStep } from "./access.ts";
import { addRoot, type Checker, type Env, typeAt } from "./checker.ts";
import { type FieldRead, refuseMissing, refuseNullish, refuseScalar } from "./path-findings.ts";
import { type Operand, UNKNOWN } from "./scopes.ts";
import { isNullish, isPrintable, type ObjectAtom, type Type, unite } from "./types.ts";

/** The context of the render. */
export const CONTEXT = accessRoot(0);

/** What an expression gives: its type (null: a fault made it unknown), and where it lies, if it is a place. */
export type Value = { readonly type: Type | null; readonly operand: Operand | null };

/** A value that is unknown. */
export const UNKNOWN_VALUE: Value = { type: null, operand: UNKNOWN };

/** The value of an operand where the walk stands. */
export function valueOf(checker: Checker, env: Env, operand: Operand): Value {
  if (operand.kind === "unknown") return UNKNOWN_VALUE;
  if (operand.kind === "overlay") return { type: [overlayAtom(checker, env, operand)], operand };
  checker.reads.touch(operand.access);
  const type = typeAt(checker, env, operand.access);
  return { type: type.length === 0 ? null : type, operand };
}

/** One field further. Reports what has no such field, or could be null; unknown where nothing is left. */
export function readField(checker: Checker, env: Env, from: Operand, read: FieldRead): Operand {
  let holder = from;
  while (holder.kind === "overlay") {
    const given = holder.fields.get(read.name);
    if (given !== undefined) return given;
    holder = holder.base;
  }
  if (holder.kind === "unknown") return UNKNOWN;
  const { access } = holder;
  const type = typeAt(checker, env, access);
  const lacks = type.filter(
    (atom) => !isNullish(atom) && !isPrintable(atom) && fieldOf(atom, read.name) === undefined,
  );
  if (lacks.length > 0) refuseMissing(checker, env, access, type, read);
  if (env.reachable) {
    if (type.some(isNullish)) refuseNullish(checker, env, access, type, read);
    if (type.some(isPrintable)) refuseScalar(checker, env, access, type, read);
  }
  const next = extend(access, fieldStep(read.name));
  if (!type.some((atom) => fieldOf(atom, read.name) !== undefined)) return UNKNOWN;
  checker.reads.touch(next);
  return { kind: "access", access: next };
}

/** The object that a partial's arguments make of its context. */
function overlayAtom(checker: Checker, env: Env, overlay: Operand & { kind: "overlay" }): ObjectAtom {
  const fields = new Map<string, Type>();
  const base = valueOf(checker, env, overlay.base).type ?? [];
  touchAll(checker, overlay);
  for (const atom of base) {
    if (atom.kind === "object")
      for (const name of atom.names())
        fields.set(name, unite([fields.get(name) ?? [], atom.field(name) ?? []]));
  }
  for (const [name, field] of overlay.fields) fields.set(name, valueOf(checker, env, field).type ?? []);
  // A record's names are any; a loop sees its values, and no path can read a name that is empty.
  const others = unite(base.map((atom) => (atom.kind === "record" ? atom.value() : [])));
  if (others.length > 0) fields.set("", unite([fields.get("") ?? [], others]));
  return {
    kind: "object",
    title: null,
    shape: null,
    names: () => fields.keys(),
    field: (name) => fields.get(name),
  };
}

/** Notes that all of an operand is read. */
export function touchAll(checker: Checker, operand: Operand | null): void {
  if (operand?.kind === "access") checker.reads.touchAll(operand.access);
  if (operand?.kind !== "overlay") return;
  touchAll(checker, operand.base);
  for (const field of operand.fields.values()) touchAll(checker, field);
}

/** The way to a value: its own, or a root made for it. Null where it is unknown. */
export function placeOf(checker: Checker, value: Value): Access | null {
  if (value.operand?.kind === "access") return value.operand.access;
  return value.type === null ? null : addRoot(checker, value.type);
}
