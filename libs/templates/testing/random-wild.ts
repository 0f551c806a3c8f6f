import type { Contract, Shape } from "@incipit/schema";
import type { Random } from "./random.ts";
import { fieldsOf, isScalar, pickRef, type Ref, type Scope, without } from "./random-refs.ts";
import type { RandomTemplate } from "./random-template.ts";

// Templates that nobody would write: conditions of any make over whatever can be named, and in their branches reads of what
// they named. They try what is known of a value after a condition much harder than guards as people write them do.

type Wild = {
  readonly random: Random;
  readonly root: Shape;
  readonly scopes: readonly Scope[];
  /** What conditions and blocks around have named, and arguments of the partial. */
  readonly named: readonly Ref[];
  readonly partials: Map<string, string>;
  readonly inPartial: number;
  readonly depth: number;
};

const DEEPEST = 4;

/** A random template whose conditions are of any make. */
export function wildTemplate(random: Random, contract: Contract): RandomTemplate {
  const partials = new Map<string, string>();
  const scopes = [{ shape: contract.root, isLoop: false, name: null }];
  const wild: Wild = { random, root: contract.root, scopes, named: [], partials, inPartial: 0, depth: 0 };
  return { body: writeBody(wild, 1 + random.int(2)), partials };
}

function writeBody(wild: Wild, count: number): string {
  return Array.from({ length: count }, () => writeStatement(wild)).join(wild.random.pick([" ", "-"]));
}

/** Anything that can be named here, oftener what has been named around. */
function refOf(wild: Wild): Ref | null {
  const { random, named } = wild;
  const isAgain = named.length > 0 && random.chance(0.7);
  let ref = isAgain ? random.pick(named) : pickRef(wild);
  for (let i = 0; ref !== null && i < 2 && random.chance(isAgain ? 0.25 : 0.1); i++)
    ref = inside(random, ref);
  return ref;
}

/** A value inside another, whether the other is there or not. */
function inside(random: Random, { text, shape }: Ref): Ref {
  const of = without(shape);
  const at = (name: string, shape: Shape, maybe: boolean): Ref => ({
    text: text === "this" ? `this.${name}` : `${text}${text.endsWith("..") ? "/" : "."}${name}`,
    shape,
    maybe,
  });
  if (of.kind === "list")
    return random.chance(0.3)
      ? at("length", { kind: "number", integer: true }, false)
      : at(`[${random.int(2)}]`, of.item, true);
  if (of.kind === "record") return at(random.pick(["a", "name", "mode"]), of.value, true);
  const fields = fieldsOf(of);
  if (fields.length === 0) return { text, shape, maybe: true };
  const field = random.pick(fields);
  return at(field.text, field.shape, field.maybe);
}

/** A name of which a test holds, if one comes up soon. */
function refWhere(wild: Wild, holds: (shape: Shape) => boolean): Ref | null {
  for (let i = 0; i < 6; i++) {
    const ref = refOf(wild);
    if (ref !== null && holds(without(ref.shape))) return ref;
  }
  return null;
}

const CONSTANTS = ['"a"', '"b"', '"red"', '""', "0", "1", "true", "false", "null"];

/** An expression, as an argument would be written; each name in it goes into `named`. */
function writeValue(wild: Wild, depth: number, named: Ref[]): string {
  const { random } = wild;
  const any = () => writeValue(wild, depth - 1, named);
  const noted = (ref: Ref | null) => {
    if (ref === null) return random.pick(CONSTANTS);
    named.push(ref);
    return ref.text;
  };
  const scalar = () => (random.chance(0.4) ? random.pick(CONSTANTS) : noted(refWhere(wild, isScalar)));
  const kind = (...kinds: string[]) => noted(refWhere(wild, (shape) => kinds.includes(shape.kind)));
  if (depth <= 0) return random.chance(0.1) ? random.pick(CONSTANTS) : noted(refOf(wild));
  switch (random.int(12)) {
    case 0:
    case 1:
      return `(and ${any()} ${any()}${random.chance(0.2) ? ` ${any()}` : ""})`;
    case 2:
    case 3:
      return `(or ${any()} ${any()}${random.chance(0.2) ? ` ${any()}` : ""})`;
    case 4:
      return `(not ${any()})`;
    case 5:
    case 6:
      return `(${random.pick(["eq", "ne"])} ${scalar()} ${scalar()})`;
    case 7: {
      const of = random.chance(0.6) ? `(length ${kind("list", "record", "string")})` : kind("number");
      const bound = random.pick(["0", "1", "2", "0.5", "-1"]);
      const [a, b] = random.chance(0.7) ? [of, bound] : [bound, of];
      return `(${random.pick(["lt", "lte", "gt", "gte", "eq", "ne"])} ${a} ${b})`;
    }
    case 8:
      return `(default ${noted(refOf(wild))} ${random.chance(0.6) ? random.pick(CONSTANTS) : noted(refOf(wild))})`;
    case 9:
      return random.chance(0.5)
        ? `(lookup ${kind("list")} ${random.chance(0.5) ? random.int(2) : kind("number")})`
        : `(lookup ${kind("record")} ${random.chance(0.5) ? '"a"' : kind("string")})`;
    default:
      return noted(refOf(wild));
  }
}

function writeStatement(wild: Wild): string {
  const { random, depth } = wild;
  if (depth >= DEEPEST) return writePrint(wild);
  switch (random.int(9)) {
    case 0:
    case 1:
    case 2:
      return writeIf(wild);
    case 3:
      return writeWith(wild);
    case 4:
      return writeEach(wild);
    case 5:
      return writePartial(wild);
    default:
      return writePrint(wild);
  }
}

function writePrint(wild: Wild): string {
  const { random, scopes } = wild;
  if (scopes[0]?.isLoop && random.chance(0.1))
    return `{{${random.pick(["@index", "@key", "@first", "@last"])}}}`;
  const ref = random.chance(0.9) ? refWhere(wild, isScalar) : refOf(wild);
  if (ref === null) return "-";
  if (!isScalar(without(ref.shape)))
    return random.pick([`{{json ${ref.text}}}`, `{{length ${ref.text}}}`, `{{${ref.text}}}`]);
  const isText = without(ref.shape).kind === "string";
  if (isText && random.chance(0.2)) return `{{${random.pick(["upper", "lower", "trim"])} ${ref.text}}}`;
  return random.chance(0.3) ? `{{default ${ref.text} ""}}` : `{{${ref.text}}}`;
}

const ZERO = " includeZero=true";

/** A condition of which 0 as true makes another one. */
function zeroCondition(wild: Wild, named: Ref[]): string {
  const { random } = wild;
  const isOfLength = random.chance(0.3);
  const ref = isOfLength ? refWhere(wild, ({ kind }) => kind === "list" || kind === "string") : refOf(wild);
  if (ref === null) return "0";
  named.push(ref);
  return isOfLength ? `(length ${ref.text})` : `(default ${ref.text} ${random.pick(["0", "false", '""'])})`;
}

function writeIf(wild: Wild): string {
  const { random } = wild;
  const named: Ref[] = [];
  const condition = () => writeValue(wild, random.int(3), named);
  const branch = () =>
    writeBody({ ...wild, depth: wild.depth + 1, named: [...named, ...wild.named].slice(0, 8) }, 1);
  const tag = random.pick(["if", "if", "unless"]);
  const [first, zero] = random.chance(0.15)
    ? [zeroCondition(wild, named), ZERO]
    : [condition(), tag === "if" && random.chance(0.1) ? ZERO : ""];
  let out = `{{#${tag} ${first}${zero}}}${branch()}`;
  for (let i = random.int(3); i > 0; i--) out += `{{else if ${condition()}}}${branch()}`;
  if (random.chance(0.7)) out += `{{else}}${branch()}`;
  return `${out}{{/${tag}}}`;
}

/** Inside a new scope: what was named is a step further out, unless a name or `@root` leads there. */
function enter(wild: Wild, shape: Shape | null, isLoop: boolean, name: string | null): Wild {
  const isFixed = ({ text }: Ref) =>
    text.startsWith("@") || wild.scopes.some((s) => s.name === text.split(".")[0]);
  const out = (text: string) => (text === "this" ? ".." : `../${text.replace(/^this\./, "")}`);
  const named = wild.named.map((ref) => (isFixed(ref) ? ref : { ...ref, text: out(ref.text) }));
  const own: Ref[] = shape === null ? [] : [{ text: name ?? "this", shape, maybe: false }];
  const scopes = [{ shape, isLoop, name }, ...wild.scopes];
  return { ...wild, depth: wild.depth + 1, scopes, named: [...own, ...named] };
}

const nameOf = ({ random }: Wild): string | null =>
  random.chance(0.35) ? random.pick(["it", "one", "name", "title"]) : null;

function writeWith(wild: Wild): string {
  const { random } = wild;
  const named: Ref[] = [];
  const value = writeValue(wild, random.chance(0.25) ? 1 : 0, named);
  const [only, more] = named;
  // Of what a helper makes, only what one name gives can be told.
  const shape =
    only !== undefined && more === undefined && /^\(default|^[^(]/.test(value) ? without(only.shape) : null;
  const name = nameOf(wild);
  const body = writeBody(
    enter({ ...wild, named: [...named, ...wild.named] }, shape, false, name),
    1 + random.int(2),
  );
  const otherwise = random.chance(0.3) ? `{{else}}${writeStatement({ ...wild, depth: wild.depth + 1 })}` : "";
  return `{{#with ${value}${name === null ? "" : ` as |${name}|`}}}${body}${otherwise}{{/with}}`;
}

function writeEach(wild: Wild): string {
  const { random } = wild;
  const ref = refWhere(wild, ({ kind }) => kind === "list" || kind === "record" || kind === "object");
  if (ref === null) return writePrint(wild);
  const of = without(ref.shape);
  const item = of.kind === "list" ? of.item : of.kind === "record" ? of.value : null;
  const name = nameOf(wild);
  const body = writeBody(
    enter({ ...wild, named: [ref, ...wild.named] }, item, true, name),
    1 + random.int(2),
  );
  const otherwise = random.chance(0.3)
    ? `{{else}}${writeStatement({ ...wild, depth: wild.depth + 1, named: [ref, ...wild.named] })}`
    : "";
  return `{{#each ${ref.text}${name === null ? "" : ` as |${name}|`}}}${body}${otherwise}{{/each}}`;
}

/** A partial on any value, its arguments any expressions, now and then under the name of a field. */
function writePartial(wild: Wild): string {
  const { random, partials } = wild;
  if (partials.size > 2 || wild.inPartial > 1) return writePrint(wild);
  const context = random.chance(0.6) ? refWhere(wild, ({ kind }) => kind === "object") : null;
  const shape = context === null ? (wild.scopes[0]?.shape ?? null) : without(context.shape);
  const fields = shape === null ? [] : fieldsOf(shape).map(({ text }) => text);
  const named: Ref[] = [];
  const args = Array.from({ length: random.int(3) }, (_, i) => {
    const name = fields.length > 0 && random.chance(0.3) ? random.pick(fields) : `arg${i}`;
    const given: Ref[] = [];
    const value = writeValue(wild, random.chance(0.3) ? 1 : 0, given);
    const [only] = given;
    if (only !== undefined) named.push({ ...only, text: name });
    return { name, value };
  });
  const distinct = [...new Map(args.map(({ name, value }) => [name, value]))];
  const key = `p${partials.size}`;
  partials.set(key, "");
  const scopes = [{ shape, isLoop: false, name: null }];
  const body = writeBody(
    { ...wild, depth: wild.depth + 1, scopes, named, inPartial: wild.inPartial + 1 },
    1 + random.int(2),
  );
  partials.set(key, body);
  const given = distinct.map(([name, value]) => ` ${name}=${value}`).join("");
  return `{{> ${key}${context === null ? "" : ` ${context.text}`}${given}}}`;
}
