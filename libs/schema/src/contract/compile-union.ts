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
  const judged = before !== undefined && holdsHere(before, run) ? before : judge(near, value, run);
  if (typeof value === "object") known.set(value, judged);
  for (const one of judged.faults) if (run.faults.length < MOST_FAULTS) run.faults.push(one);
  return judged.copy;
}

const holdsHere = ({ faults, place, depth }: Judged, { path }: Run): boolean =>
  faults.length === 0 ? path.length <= depth : place === formatPath(path);

function judge(near: readonly Member[], value: Json, run: Run): Judged {
  const outside = run.faults;
  const depth = run.path.length;
  let nearest: Nearest | null = null;
  for (const { member, unlikeness } of inOrder(near, value, run)) {
    const { title, check } = member;
    run.faults = [];
    const copy = check(value, run);
    const { faults } = run;
    run.faults = outside;
    if (faults.length === 0) return { copy, faults, place: "", depth };
    const isNearer =
      nearest === null || (unlikeness === nearest.unlikeness && faults.length < nearest.faults.length);
    if (isNearer) nearest = { faults, title, unlikeness };
  }
  if (nearest === null) return { copy: null, faults: [], place: "", depth };
  const { faults, title } = nearest;
  // Which of the objects it was taken for is told once, of the innermost union.
  const told =
    title === null
      ? faults
      : faults.map(({ path, message }) => ({
          path,
          message: message.endsWith('")') ? message : `${message} (as "${title}")`,
        }));
  return { copy: null, faults: told, place: formatPath(run.path), depth };
}

/** What is told of a value that fits no member: the faults of the one that it looks most like, or has fewest of among those. */
type Nearest = {
  readonly faults: readonly Fault[];
  readonly title: string | null;
  readonly unlikeness: number;
};

/** Those first that the value looks most like; none where the run is over. */
function inOrder(
  near: readonly Member[],
  value: Json,
  run: Run,
): readonly { readonly member: Member; readonly unlikeness: number }[] {
  const names = isObject(value) ? Object.keys(value) : [];
  if (!mayEnter(run, near.length * (1 + names.length))) return [];
  const unlikeness = (member: Member) => (isObject(value) ? member.unlikeness(value, names) : 0);
  return near
    .map((member) => ({ member, unlikeness: unlikeness(member) }))
    .toSorted((a, b) => a.unlikeness - b.unlikeness);
}

/** What a constant weighs that another object has: more than all the fields that a value is likely to lack. */
const TAG = 1_000;

/**
 * How little a value looks like one object of a union: fields that must be there and are not, fields that only others have,
 * fields of another kind, above all other constants. All its fields count, not only those that are read: otherwise what a
 * template reads would decide which of the objects the value is. Counted along the value's own names, of which there may be
 * far fewer.
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
