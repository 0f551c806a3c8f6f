import type { Json, JsonObject } from "@incipit/schema";
import { type AccessStep, fieldStep, isIndex, stepOn } from "../check/access.ts";
import type { Goal } from "../check/checker.ts";
import { type Facts, learn, refine } from "../check/facts.ts";
import type { Atom, Type } from "../check/types.ts";
import { isObject, setField } from "./json-object.ts";
import { newRoom, type Room, type Smallest } from "./smallest.ts";

type Maker = { readonly smallest: Smallest; readonly room: Room };

/** A value, or that it is left out; undefined where none could be made. */
type Made = { readonly value: Json } | "absent" | undefined;

/**
 * The smallest contexts in which the walk could have stood where it reported a finding, with the value at fault as bad as it
 * says: read off the facts that were known there, one for each way of getting there.
 */
export function constructContexts(
  { worlds, access, bad }: Goal,
  root: Type,
  smallest: Smallest,
): JsonObject[] {
  return worlds.flatMap(({ facts }) => {
    const known = facts.get(0);
    const wanted = access?.root === 0 && bad !== null ? learn(known, access.steps, bad) : known;
    const made = make(root, wanted, { smallest, room: newRoom() });
    return made === undefined || made === "absent" || !isObject(made.value) ? [] : [made.value];
  });
}

/** Kinds from the smallest on. */
const ORDER: readonly Atom["kind"][] = [
  "absent",
  "null",
  "emptyList",
  "literal",
  "text",
  "number",
  "list",
  "record",
  "object",
];

function make(type: Type, facts: Facts | undefined, maker: Maker): Made {
  const { smallest, room } = maker;
  const size = (atom: Atom) =>
    atom.kind === "object" && atom.shape !== null ? smallest.sizeOf(atom.shape) : 0;
  const atoms = refine(type, facts).toSorted(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || size(a) - size(b),
  );
  for (const atom of atoms) {
    if (--room.left < 0) return undefined;
    const made = makeAtom(atom, facts, maker);
    if (made !== undefined) return made;
  }
  return undefined;
}

function makeAtom(atom: Atom, facts: Facts | undefined, maker: Maker): Made {
  switch (atom.kind) {
    case "absent":
      return "absent";
    case "null":
      return { value: null };
    case "emptyList":
      return { value: [] };
    case "literal":
      return { value: atom.value };
    case "text":
      return { value: "x" };
    case "number":
      return { value: 1 };
    case "list":
      return makeList(atom, facts, maker);
    case "record":
      return makeRecord(atom, facts, maker);
    case "object":
      return makeObject(atom, facts, maker);
    default:
      return atom satisfies never;
  }
}

const inside = (facts: Facts | undefined) => [...(facts?.inside.values() ?? [])];

function makeInside(atom: Atom, step: AccessStep, facts: Facts, maker: Maker): Made {
  return make(stepOn(atom, step), facts, maker);
}

function makeList(atom: Atom & { kind: "list" }, facts: Facts | undefined, maker: Maker): Made {
  if (atom.shape?.kind !== "list") return undefined;
  const items: Json[] = [];
  const placed = new Map<number, Json>();
  for (const { step, facts: known } of inside(facts)) {
    if (step.kind === "field" && !isIndex(step.name)) continue;
    const made = makeInside(atom, step, known, maker);
    if (made === undefined) return undefined;
    if (made === "absent") continue;
    if (step.kind === "field") placed.set(Number(step.name), made.value);
    else items.push(made.value);
  }
  const value: Json[] = [];
  const length = Math.max(atom.min, items.length + placed.size, ...[...placed.keys()].map((i) => i + 1));
  if (length > LONGEST) return undefined;
  for (let i = 0; i < length; i++)
    value.push(placed.get(i) ?? items.shift() ?? maker.smallest.valueOf(atom.shape.item, maker.room));
  return { value };
}

/** Items of a list that is made: an index further out is not worth its context. */
const LONGEST = 100;

function makeRecord(atom: Atom & { kind: "record" }, facts: Facts | undefined, maker: Maker): Made {
  const value: JsonObject = {};
  for (const { step, facts: known } of inside(facts)) {
    const made = makeInside(atom, step, known, maker);
    if (made === undefined) return undefined;
    if (made !== "absent") setField(value, step.kind === "field" ? step.name : "x", made.value);
  }
  return { value };
}

function makeObject(atom: Atom & { kind: "object" }, facts: Facts | undefined, maker: Maker): Made {
  if (atom.shape === null) return undefined;
  const value: JsonObject = {};
  for (const field of atom.shape.fields.values()) {
    const step = fieldStep(field.name);
    const known = facts?.inside.get(step.key);
    if (known === undefined) {
      if (field.required) setField(value, field.name, maker.smallest.valueOf(field.shape, maker.room));
      continue;
    }
    const made = makeInside(atom, step, known.facts, maker);
    if (made === undefined) return undefined;
    if (made !== "absent") setField(value, field.name, made.value);
  }
  return { value };
}
