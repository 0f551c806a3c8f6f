import { type Access, fieldOf, fieldStep, itemsOf } from "./access.ts";
import { addRoot, type Checker, type Env, typeAt } from "./checker.ts";
import { type FieldRead, refuseMissing, refuseNullish, refuseScalar } from "./path-findings.ts";
import { type Operand, type Overlay, stepFrom, UNKNOWN } from "./scopes.ts";
import { type Atom, isList, isNullish, isPrintable, type ObjectAtom, type Type, unite } from "./types.ts";

/** What an expression gives: its type (null: a fault made it unknown), and where it lies, if it is a place. */
export type Value = { readonly type: Type | null; readonly operand: Operand | null };

/** A value that is unknown. */
export const UNKNOWN_VALUE: Value = { type: null, operand: UNKNOWN };

/** The value of an operand where the walk stands. */
export function valueOf(checker: Checker, env: Env, operand: Operand): Value {
  if (operand.kind === "unknown") return UNKNOWN_VALUE;
  if (operand.kind === "overlay") {
    touchAll(checker, operand);
    return { type: [overlayAtom(checker, env, operand)], operand };
  }
  checker.reads.touch(operand.access);
  const type = typeAt(checker, env, operand.access);
  return { type: type.length === 0 ? null : type, operand };
}

/** One field further. Reports what has no such field, or could be null; unknown where nothing is left. */
export function readField(checker: Checker, env: Env, from: Operand, read: FieldRead): Operand {
  let holder = from;
  const isCovered = from.kind === "overlay";
  while (holder.kind === "overlay") {
    const given = holder.fields.get(read.name);
    if (given !== undefined) return given;
    holder = holder.base;
  }
  if (holder.kind === "unknown") return UNKNOWN;
  const { access } = holder;
  const type = typeAt(checker, env, access);
  // Fields laid over a list replace it, as they do a scalar.
  const has = (atom: Atom) => fieldOf(atom, read.name) !== undefined && !(isCovered && isList(atom));
  const lacks = (atom: Atom) => !isNullish(atom) && !isPrintable(atom) && !has(atom);
  if (type.some(lacks)) refuseMissing(checker, env, access, type, read, lacks);
  if (env.reachable) {
    if (type.some(isNullish)) refuseNullish(checker, env, access, type, read);
    if (type.some(isPrintable)) refuseScalar(checker, env, access, type, read);
  }
  if (!type.some(has)) return UNKNOWN;
  const next = stepFrom(access, fieldStep(read.name));
  if (next.kind === "access") checker.reads.touch(next.access);
  return next;
}

/** The object that a partial's arguments make of its context. */
function overlayAtom(checker: Checker, env: Env, { base: under, fields }: Overlay): ObjectAtom {
  // Overlays hold overlays, one of them perhaps twice: nothing is looked up before it is asked for.
  let found: Type | undefined;
  const base = () => (found ??= valueOf(checker, env, under).type ?? []);
  const typeOf = (field: Operand) => valueOf(checker, env, field).type ?? [];
  return {
    kind: "object",
    title: null,
    shape: null,
    names() {
      const names = base().flatMap((atom) => (atom.kind === "object" ? [...atom.names()] : []));
      return new Set([...fields.keys(), ...names]);
    },
    field(name) {
      const given = fields.get(name);
      if (given !== undefined) return typeOf(given);
      // Nothing is kept of what is no object, and a record may have the name or not.
      const types = base().map((atom) => (atom.kind === "object" ? atom.field(name) : undefined));
      const isSure = types.length > 0 && !types.includes(undefined);
      return isSure ? unite(types.map((type) => type ?? [])) : undefined;
    },
    values() {
      const kept = base().map((atom) => (isList(atom) ? [] : itemsOf(atom)));
      return unite([...[...fields.values()].map(typeOf), ...kept]);
    },
  };
}

/** Notes that all of an operand is read. */
export function touchAll(checker: Checker, operand: Operand | null): void {
  if (operand?.kind === "access") checker.reads.touchAll(operand.access);
  if (operand?.kind !== "overlay" || checker.wholes.has(operand.key)) return;
  checker.wholes.add(operand.key);
  touchAll(checker, operand.base);
  for (const field of operand.fields.values()) touchAll(checker, field);
}

/** The way to a value: its own, or a root made for it. Null where it is unknown. */
export function placeOf(checker: Checker, value: Value): Access | null {
  if (value.operand?.kind === "access") return value.operand.access;
  return value.type === null ? null : addRoot(checker, value.type);
}
