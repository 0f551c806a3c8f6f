import type { Json, JsonObject, Shape } from "@incipit/schema";
import { isObject, partsOf, setField } from "./json-object.ts";
import { newRoom, type Smallest } from "./smallest.ts";

/**
 * Makes a context smaller for as long as it still fails: fields and items are left out, values replaced by the smallest of
 * their kind. Greedy, from the outside in, and as far as it goes within the budget.
 */
export function shrink(
  context: JsonObject,
  root: Shape,
  smallest: Smallest,
  stillFails: (context: JsonObject) => boolean,
  isSpent: () => boolean,
): JsonObject {
  let best = context;
  for (let changed = true; changed;) {
    changed = false;
    for (const smaller of simplify(best, root, smallest)) {
      if (isSpent()) return best;
      if (!isObject(smaller) || !stillFails(smaller)) continue;
      best = smaller;
      changed = true;
      break;
    }
  }
  return best;
}

/** Values one step smaller than a value. */
function* simplify(value: Json, shape: Shape, smallest: Smallest): Generator<Json> {
  const least = smallest.valueOf(shape, newRoom());
  if (partsOf(least) < partsOf(value)) yield least;
  if (shape.kind === "union") {
    for (const member of shape.members)
      if (fitsRoughly(value, member)) yield* simplify(value, member, smallest);
  } else if (Array.isArray(value)) {
    for (const i of value.keys()) yield value.toSpliced(i, 1);
    if (shape.kind !== "list") return;
    for (const [i, item] of value.entries())
      for (const smaller of simplify(item, shape.item, smallest)) yield value.with(i, smaller);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) yield without(value, name);
    for (const [name, field] of Object.entries(value)) {
      const inner =
        shape.kind === "object"
          ? shape.fields.get(name)?.shape
          : shape.kind === "record"
            ? shape.value
            : undefined;
      if (inner === undefined) continue;
      for (const smaller of simplify(field, inner, smallest)) yield withField(value, name, smaller);
    }
  } else if (typeof value === "string" && value.length > 1) yield "x";
}

function fitsRoughly(value: Json, shape: Shape): boolean {
  if (Array.isArray(value)) return shape.kind === "list";
  return isObject(value) ? shape.kind === "object" || shape.kind === "record" : false;
}

function without(object: JsonObject, name: string): JsonObject {
  return withFields(Object.entries(object).filter(([field]) => field !== name));
}

function withField(object: JsonObject, name: string, value: Json): JsonObject {
  return withFields(
    Object.entries(object).map(([field, before]) => [field, field === name ? value : before]),
  );
}

function withFields(fields: readonly (readonly [string, Json])[]): JsonObject {
  const copy: JsonObject = {};
  for (const [name, value] of fields) setField(copy, name, value);
  return copy;
}
