import type { Shape } from "@incipit/schema";
import {
  BOOLEAN,
  fits,
  isPath,
  NUMBER,
  pickName,
  pickPass,
  type Place,
  STRING,
  type Want,
  type Written,
} from "./random-names.ts";
import { fieldsOf, without } from "./random-refs.ts";

const TEXTS = ['"a"', '"b"', '"red"', '""', '"name"', '"0"'];
const INTEGERS = ["0", "0", "1", "2", "-1", "0.5"];
const NAMES = ['"a"', '"mode"', '"name"', '"length"', '"0"'];
const SEPARATORS = ['", "', '""', '"-"'];

/** An expression, of any make, that is most likely what is wanted. */
export function writeExpression(place: Place, want: Want, depth: number): Written {
  const { random } = place;
  const again = random.chance(0.15) ? writeLookupAgain(place, 0) : null;
  if (again !== null && fits(again.shape, want)) return again;
  if (depth <= 0 || random.chance(0.35)) return pickName(place, want) ?? constant(place, want);
  if (want === "any" && random.chance(0.5)) {
    const some = random.pick(["scalar", "string", "number", "boolean", "list", "record", "object"] as const);
    return writeExpression(place, some, depth);
  }
  if (random.chance(0.2)) return writeLookup(place, want, depth);
  if (random.chance(0.15)) return writeDefault(place, want, depth);
  switch (want) {
    case "scalar":
      return writeExpression(place, random.pick(["string", "number", "boolean"]), depth);
    case "string":
      return random.chance(0.2) ? constant(place, want) : writeText(place, depth);
    case "number":
      if (random.chance(0.4)) return constant(place, want);
      return call(
        place,
        "length",
        [writeExpression(place, random.pick(["loop", "string"]), depth - 1)],
        NUMBER,
      );
    case "boolean":
      return writeCondition(place, depth);
    default:
      return pickName(place, want) ?? constant(place, want);
  }
}

/** A call as an argument; what may be null of it can be guarded, as a path can. */
function call(place: Place, helper: string, args: readonly Written[], shape: Shape | null): Written {
  const text = `(${helper} ${args.map((arg) => arg.text).join(" ")})`;
  const written = { text, shape };
  if (helper === "lookup" || helper === "default") place.used.push(written);
  return written;
}

const literal = (text: string, shape: Shape): Written => ({ text, shape });

function constant({ random }: Place, want: Want): Written {
  if (want === "string") return literal(random.pick(TEXTS), STRING);
  if (want === "number") return literal(random.pick(INTEGERS), NUMBER);
  if (want === "boolean") return literal(random.pick(["true", "false"]), BOOLEAN);
  return random.pick([
    literal(random.pick(TEXTS), STRING),
    literal(random.pick(INTEGERS), NUMBER),
    literal("true", BOOLEAN),
    literal("false", BOOLEAN),
    literal("null", { kind: "null" }),
  ]);
}

function writeText(place: Place, depth: number): Written {
  const { random } = place;
  const text = () => writeExpression(place, "string", depth - 1);
  switch (random.int(6)) {
    case 0:
      return call(place, "indent", [text(), width(place, ["0", "2", "64"])], STRING);
    case 1: {
      const list = joinable(place, depth - 1);
      const separator = random.chance(0.5)
        ? []
        : [random.chance(0.8) ? literal(random.pick(SEPARATORS), STRING) : text()];
      return call(place, "join", [list, ...separator], STRING);
    }
    case 2: {
      const spaces = random.chance(0.5) ? [] : [width(place, ["0", "2", "10"])];
      return call(place, "json", [writeExpression(place, "any", depth - 1), ...spaces], STRING);
    }
    default:
      return call(place, random.pick(["upper", "lower", "trim"]), [text()], STRING);
  }
}

/** How many spaces: a constant, or a name of which a contract says which numbers it may be. */
function width(place: Place, constants: readonly string[]): Written {
  const { random } = place;
  const name = random.chance(0.3) ? pickName(place, "number") : null;
  return name ?? literal(random.pick(constants), NUMBER);
}

/** A list of what can be joined, if one comes up soon. */
function joinable(place: Place, depth: number): Written {
  let list = writeExpression(place, "list", depth);
  for (let i = 0; i < 4 && !isJoinable(list.shape); i++) list = writeExpression(place, "list", depth);
  return list;
}

const isJoinable = (shape: Shape | null): boolean => {
  const of = shape === null ? null : without(shape);
  return of?.kind === "list" && fits(of.item, "scalar");
};

function writeDefault(place: Place, want: Want, depth: number): Written {
  const { random } = place;
  const first = random.chance(0.8) ? pickName(place, want) : null;
  const a = first ?? writeExpression(place, want, depth - 1);
  const b = random.chance(0.4) ? constant(place, want) : writeExpression(place, want, depth - 1);
  const parts = [a.shape, b.shape].flatMap((shape) => (shape === null ? [] : [without(shape)]));
  const members = parts.flatMap((shape) => (shape.kind === "union" ? shape.members : [shape]));
  const [only] = members;
  const shape: Shape | null =
    only === undefined ? null : members.length === 1 ? only : { kind: "union", members };
  return call(place, "default", [a, b], shape);
}

/** What a lookup in a value gives. */
function valueIn(shape: Shape | null): Shape | null {
  const of = shape === null ? null : without(shape);
  if (of?.kind === "list") return of.item;
  if (of?.kind === "record") return of.value;
  return null;
}

/** A lookup in what was looked into before, by another key or by the same; null where nothing was. */
function writeLookupAgain(place: Place, depth: number): Written | null {
  const { random, named } = place;
  const before = named.filter(({ text }) => text.startsWith("(lookup "));
  if (before.length === 0) return null;
  const { text, shape } = random.pick(before);
  const [, holder, key] = /^\(lookup (\S+) ([^\s()]+)\)$/.exec(text) ?? [];
  if (holder === undefined || key === undefined || !isPath(holder)) return null;
  const kind = key.startsWith('"')
    ? "record"
    : /^[-\d]|index|length/.test(key)
      ? "list"
      : random.pick(["list", "record"] as const);
  const keys = kind === "list" ? NUMBER : STRING;
  const by = random.chance(0.2) ? literal(key, keys) : writeKey(place, kind, depth);
  return call(place, "lookup", [literal(holder, keys), by], shape);
}

function writeLookup(place: Place, want: Want, depth: number): Written {
  const { random } = place;
  for (let i = 0; i < 4; i++) {
    const kind = random.pick(["list", "list", "record", "object"] as const);
    const holder = writeExpression(place, kind, depth - 1);
    if (!fits(holder.shape, kind)) continue;
    if (kind !== "object") {
      const shape = valueIn(holder.shape);
      if (!fits(shape, want) && !random.chance(0.1)) continue;
      return call(place, "lookup", [holder, writeKey(place, kind, depth - 1)], shape);
    }
    const fields = holder.shape === null ? [] : fieldsOf(without(holder.shape));
    const fitting = fields.filter(({ shape }) => fits(shape, want));
    if (fitting.length === 0) continue;
    const field = random.pick(fitting);
    const key = random.chance(0.7)
      ? literal(`"${field.text}"`, STRING)
      : nameKey(
          place,
          fields.map((f) => f.text),
        );
    return call(place, "lookup", [holder, key], field.shape);
  }
  return pickName(place, want) ?? constant(place, want);
}

/** A key by which to look into a list, or into a record. */
function writeKey(place: Place, kind: "list" | "record", depth: number): Written {
  const { random } = place;
  const [want, constants] = kind === "list" ? (["number", INTEGERS] as const) : (["string", NAMES] as const);
  const pass = random.chance(0.3) ? pickPass(place, want) : null;
  if (pass !== null) return pass;
  if (random.chance(0.3)) return literal(random.pick(constants), kind === "list" ? NUMBER : STRING);
  const name = random.chance(0.6) ? pickName(place, want) : null;
  return name ?? writeExpression(place, want, depth);
}

/** A key that is one of some names, if there is one: an enum of a contract, or `@key`. */
function nameKey(place: Place, names: readonly string[]): Written {
  const { random } = place;
  const pass = random.chance(0.3) ? pickPass(place, "string") : null;
  if (pass !== null) return pass;
  for (let i = 0; i < 8; i++) {
    const key = pickName(place, "string");
    if (key?.shape === null || key === null) continue;
    const of = without(key.shape);
    const members = of.kind === "union" ? of.members : [of];
    if (members.some((member) => member.kind === "literal" && names.includes(String(member.value))))
      return key;
  }
  return writeExpression(place, "string", 0);
}

/** A condition of any make, to a depth. */
export function writeCondition(place: Place, depth: number): Written {
  const { random } = place;
  const inner = () =>
    random.chance(0.75) ? writeCondition(place, depth - 1) : writeExpression(place, "any", depth - 1);
  const pair = (want: Want) => [
    writeExpression(place, want, depth - 1),
    writeExpression(place, want, depth - 1),
  ];
  if (depth <= 0) return pickName(place, "any") ?? constant(place, "any");
  switch (random.int(10)) {
    case 0:
    case 1:
      return call(place, "and", [inner(), inner(), ...(random.chance(0.25) ? [inner()] : [])], BOOLEAN);
    case 2:
    case 3:
      return call(place, "or", [inner(), inner(), ...(random.chance(0.25) ? [inner()] : [])], BOOLEAN);
    case 4:
      return call(place, "not", [inner()], BOOLEAN);
    case 5:
    case 6: {
      const name = random.chance(0.6)
        ? pickName(place, "scalar")
        : writeExpression(place, "scalar", depth - 1);
      const other = random.chance(0.6)
        ? constantFor(place, name)
        : writeExpression(place, "scalar", depth - 1);
      const args = [name ?? other, other];
      return call(place, random.pick(["eq", "ne"]), random.chance(0.7) ? args : args.toReversed(), BOOLEAN);
    }
    case 7: {
      const helper = random.pick(["lt", "lte", "gt", "gte"]);
      return call(place, helper, pair(random.chance(0.75) ? "number" : "string"), BOOLEAN);
    }
    case 8: {
      const of = pickName(place, random.pick(["list", "list", "string", "loop"]));
      if (of === null) return constant(place, "boolean");
      const args = [call(place, "length", [of], NUMBER), literal(random.pick(INTEGERS), NUMBER)];
      const helper = random.pick(["lt", "lte", "gt", "gte", "eq", "ne"]);
      return call(place, helper, random.chance(0.6) ? args : args.toReversed(), BOOLEAN);
    }
    default:
      return writeExpression(place, "any", depth - 1);
  }
}

/** A constant that a value may be equal to. */
function constantFor(place: Place, name: Written | null): Written {
  const { random } = place;
  if (name?.shape === null || name === null) return constant(place, "any");
  const members = name.shape.kind === "union" ? name.shape.members : [name.shape];
  const member = random.pick(members);
  if (member.kind === "literal") return literal(JSON.stringify(member.value), name.shape);
  if (random.chance(0.2)) return literal("null", name.shape);
  return constant(place, "any");
}

/** A condition that 0 as true makes another one: a number, a length, a fallback of 0. */
export function writeCount(place: Place): Written {
  const { random } = place;
  const of = pickName(place, random.pick(["list", "list", "number"]));
  if (of === null) return writeExpression(place, "number", 1);
  const text = fits(of.shape, "list")
    ? `(length ${of.text})`
    : random.pick([of.text, `(default ${of.text} 0)`]);
  return { text, shape: NUMBER };
}
