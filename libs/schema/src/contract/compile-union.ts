import type { Json, JsonObject } from "../template.ts";
import { formatPath } from "../zod-problem.ts";
import { type Check, fail, type Judged, mayEnter, MOST_FAULTS, type Run } from "./check-run.ts";
import type { ObjectShape, Shape } from "./contract.ts";
import type { Fault } from "./fault-list.ts";
import { constantsOf } from "./tells-apart.ts";
import { describe, describeShape, isObject, nearTo } from "./value-words.ts";

/** Makes the check of one member. `names`: all that the objects of the union list, where there are several. */
type CompileMember = (member: Shape, names: ReadonlySet<string> | null) => Check;

type Member = {
  readonly title: string | null;
  readonly isNear: (value: Json) => boolean;
  readonly unlikeness: (value: JsonObject, names: readonly string[]) => number;
  readonly check: Check;
};

/**
 * The first member that fits, those first that the value looks most like, whatever of it is read; else the faults of the
 * one that is nearest.
 */
export function compileUnion(shapes: readonly Shape[], compileMember: CompileMember): Check {
  const objects = shapes.filter((shape) => shape.kind === "object");
  const several = objects.length > 1 ? new Set(objects.flatMap(({ fields }) => [...fields.keys()])) : null;
  const literals = new Set<Json>(shapes.flatMap((shape) => (shape.kind === "literal" ? [shape.value] : [])));
  const members = shapes
    .filter(({ kind }) => kind !== "literal")
    .map((shape): Member => ({
      title: shape.kind === "object" && several !== null ? shape.title : null,
      isNear: nearTo(shape),
      unlikeness: shape.kind === "object" && several !== null ? unlikenessTo(shape, several) : () => 0,
      check: compileMember(shape, shape.kind === "object" ? several : null),
    }));
  const wanted = [...new Set(shapes.map(describeShape))].join(" or ");
  const self: Check = (value, run) => {
    if (literals.has(value)) return value;
    const near = members.filter(({ isNear }) => isNear(value));
    const [only] = near;
    if (only === undefined) return fail(run, `must be ${wanted}, and is ${describe(value)}`);
    if (near.length === 1 && only.title === null) return only.check(value, run);
    return judgeOnce(self, near, value, run);
  };
  return self;
}

/** Unions lie in unions: what a value is judged to be once is not judged again for each member around it. */
function judgeOnce(union: Check, near: readonly Member[], value: Json, run: Run): Json {
  const known = run.judged.get(union) ?? new Map<Json, Judged>();
  run.judged.set(union, known);
  const before = known.get(value);
  const judged =
    before !== undefined && (before.faults.length === 0 || before.place === formatPath(run.path))
      ? before
      : judge(near, value, run);
  if (typeof value === "object") known.set(value, judged);
  for (const one of judged.faults) if (run.faults.length < MOST_FAULTS) run.faults.push(one);
  return judged.copy;
}

function judge(near: readonly Member[], value: Json, run: Run): Judged {
  const outside = run.faults;
  let nearest: { readonly faults: readonly Fault[]; readonly title: string | null } | null = null;
  for (const { title, check } of inOrder(near, value, run)) {
    run.faults = [];
    const copy = check(value, run);
    const { faults } = run;
    run.faults = outside;
    if (faults.length === 0) return { copy, faults, place: "" };
    if (nearest === null || faults.length < nearest.faults.length) nearest = { faults, title };
  }
  if (nearest === null) return { copy: null, faults: [], place: "" };
  const { faults, title } = nearest;
  const told =
    title === null
      ? faults
      : faults.map(({ path, message }) => ({ path, message: `${message} (as "${title}")` }));
  return { copy: null, faults: told, place: formatPath(run.path) };
}

/** Those first that the value looks most like; none where the run is over. */
function inOrder(near: readonly Member[], value: Json, run: Run): readonly Member[] {
  const names = isObject(value) ? Object.keys(value) : [];
  if (!mayEnter(run, near.length * (1 + names.length))) return [];
  if (near.length === 1 || !isObject(value)) return near;
  return near
    .map((member) => ({ member, unlikeness: member.unlikeness(value, names) }))
    .toSorted((a, b) => a.unlikeness - b.unlikeness)
    .map(({ member }) => member);
}

/** What a constant weighs that another object has: more than all the fields that a value is likely to lack. */
const TAG = 1_000;

/**
 * How little a value looks like one object of a union: fields that must be there and are not, fields that only others have,
 * fields of another kind, above all other constants. All its fields count, not only those that are read: otherwise what a template reads would
 * decide which of the objects the value is. Counted along the value's own names, of which there may be far fewer.
 */
function unlikenessTo({ fields }: ObjectShape, several: ReadonlySet<string>): Member["unlikeness"] {
  const known = new Map(
    [...fields.values()].map((field) => [
      field.name,
      { ...field, isNear: nearTo(field.shape), isTag: constantsOf(field.shape) !== null },
    ]),
  );
  const needed = [...fields.values()].filter(({ required }) => required).length;
  return (value, names) => {
    let count = needed;
    for (const name of names) {
      const given = value[name] ?? null;
      if (given === null) continue;
      const field = known.get(name);
      if (field === undefined) {
        if (several.has(name)) count++;
      } else {
        if (field.required) count--;
        if (!field.isNear(given)) count += field.isTag ? TAG : 1;
      }
    }
    return count;
  };
}
