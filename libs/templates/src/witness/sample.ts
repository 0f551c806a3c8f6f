import type { Json, JsonObject, Reads, Shape } from "@incipit/schema";
import type { Expression, Statement } from "../ast.ts";
import { setField } from "./json-object.ts";
import type { Room, Smallest } from "./smallest.ts";

/** The constants of a template, and values next to them: what conditions compare with. */
export type Constants = { readonly strings: readonly string[]; readonly numbers: readonly number[] };

const LONGEST_POOL = 40;
const LONGEST_TEXT = 100;

/** Gathers the constants of the bodies that take part. */
export function constantsOf(bodies: readonly (readonly Statement[])[]): Constants {
  const strings = new Set<string>(["", "x", "y"]);
  const numbers = new Set<number>([0, 1, 2, -1]);
  const look = (expression: Expression): void => {
    if (expression.kind === "call") expression.args.forEach(look);
    if (expression.kind !== "literal") return;
    const { value } = expression;
    if (typeof value === "string") for (const near of [value, `${value}x`]) strings.add(near);
    if (typeof value !== "number") return;
    for (const near of [value - 1, value, value + 1]) numbers.add(near);
    // It may be a length.
    if (value >= 0 && value < LONGEST_TEXT) strings.add("x".repeat(Math.floor(value) + 1));
  };
  const walk = (body: readonly Statement[]): void => {
    for (const statement of body) {
      if (statement.kind === "print") look(statement.value);
      else if (statement.kind === "if") look(statement.condition);
      else if (statement.kind === "each") look(statement.over);
      else if (statement.kind === "with") look(statement.value);
      else if (statement.kind === "include") statement.fields.forEach(({ value }) => look(value));
      if ("body" in statement) {
        walk(statement.body);
        walk(statement.otherwise);
      }
    }
  };
  bodies.forEach(walk);
  return { strings: [...strings].slice(0, LONGEST_POOL), numbers: [...numbers].slice(0, LONGEST_POOL) };
}

/** A stream of numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What sampling takes. */
export type Sampler = {
  readonly random: () => number;
  readonly constants: Constants;
  readonly smallest: Smallest;
};

const DEEPEST = 8;
const NO_READS: Reads = { all: false, fields: new Map(), items: null };

/** A value of a shape, varied where the template reads it, and the smallest elsewhere; null where there is no room for it. */
export function sample(sampler: Sampler, shape: Shape, reads: Reads, room: Room, depth = 0): Json {
  const { random, constants, smallest } = sampler;
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const inner = (shape: Shape, reads: Reads | null | undefined) =>
    sample(sampler, shape, reads ?? NO_READS, room, depth + 1);
  if (depth > DEEPEST) return smallest.valueOf(shape, room);
  if (--room.left < 0) return null;
  switch (shape.kind) {
    case "null":
      return null;
    case "literal":
      return shape.value;
    case "boolean":
      return random() < 0.5;
    case "number": {
      const value = pick(constants.numbers) ?? 0;
      return shape.integer ? Math.round(value) : value;
    }
    case "string":
      return (pick(constants.strings) ?? "").padEnd(shape.minLength, "x");
    case "list": {
      const length = shape.minItems + Math.floor(random() * 4);
      const items: Json[] = [];
      while (items.length < length && room.left >= 0)
        items.push(inner(shape.item, reads.all ? reads : reads.items));
      return items;
    }
    case "record": {
      const value: JsonObject = {};
      const names = [...reads.fields.keys(), ...constants.strings];
      for (let left = Math.floor(random() * 3); left > 0; left--) {
        const name = pick(names) ?? "x";
        setField(
          value,
          name,
          inner(shape.value, reads.all ? reads : (reads.fields.get(name) ?? reads.items)),
        );
      }
      return value;
    }
    case "object": {
      const value: JsonObject = {};
      for (const field of shape.fields.values()) {
        const of = reads.all ? reads : (reads.fields.get(field.name) ?? reads.items);
        const isThere = field.required || (of !== null && random() < 0.6);
        if (isThere) setField(value, field.name, inner(field.shape, of));
      }
      return value;
    }
    case "union": {
      const member = pick(shape.members);
      return member === undefined ? null : sample(sampler, member, reads, room, depth);
    }
    default:
      return shape satisfies never;
  }
}
