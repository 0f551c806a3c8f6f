import type { Contract, Shape } from "@incipit/schema";
import type { Part } from "./part.ts";
import type { Random } from "./random.ts";
import { writeCondition, writeCount, writeExpression } from "./random-expression.ts";
import { isPath, type Level, NUMBER, objectOf, type Place, STRING, type Written } from "./random-names.ts";
import { without } from "./random-refs.ts";
import { writeSlots } from "./random-slots.ts";

// Templates of all of the language: each statement, each block and helper with each kind of argument. Most of what is written
// so is wrong somewhere; `mendPart` takes the wrong parts away until the checker has nothing left to say.

/** A template whose parts can be changed. */
export type WholeTemplate = {
  readonly body: Part;
  readonly partials: ReadonlyMap<string, Part>;
  /** Partials in the slots syntax. */
  readonly slots: ReadonlySet<string>;
};

type Known = { readonly key: string; readonly fields: readonly string[] };

type Writer = Place & {
  readonly partials: Map<string, Part>;
  readonly slots: Set<string>;
  readonly known: Known[];
  readonly depth: number;
  /** The number of the partial in work, -1 in the template itself: one may include those of higher numbers. */
  readonly own: number;
  readonly once: { isBroken: boolean };
};

const DEEPEST = 4;
const MOST_PARTIALS = 5;
/** Units of what a guard is written around. */
const LONGEST_GUARD = 80;

/** A random template that tries everything. */
export function wholeTemplate(random: Random, contract: Contract): WholeTemplate {
  const { root } = contract;
  const partials = new Map<string, Part>();
  const level: Level = { shape: root, under: null, isLoop: false, item: null, key: null, keys: NUMBER };
  const slots = new Set<string>();
  const state = { partials, slots, known: [], once: { isBroken: false }, used: [], named: [] };
  const body = writeBody({ random, root, levels: [level], depth: 0, own: -1, ...state }, 1 + random.int(3));
  return { body, partials, slots };
}

function writeBody(writer: Writer, count: number): Part {
  const pieces: (string | Part)[] = [];
  for (let i = 0; i < count; i++)
    pieces.push(i === 0 ? "" : writer.random.pick([" ", "-", "~"]), writeStatement(writer));
  return { pieces, used: [], again: null };
}

function writeStatement(outer: Writer): Part {
  const used: Written[] = [];
  const pieces = piecesOf({ ...outer, used });
  const texts = new Set(used.map(({ text }) => text).filter((text) => text.length < LONGEST_GUARD));
  return { pieces, used: [...texts], again: () => writeStatement(outer) };
}

function piecesOf(writer: Writer): Part["pieces"] {
  const { random, depth } = writer;
  if (depth >= DEEPEST) return [writePrint(writer)];
  switch (random.int(12)) {
    case 0:
    case 1:
    case 2:
      return writeIf(writer);
    case 3:
    case 4:
      return writeWith(writer);
    case 5:
    case 6:
      return writeEach(writer);
    case 7:
    case 8:
      return writeInclude(writer);
    case 9:
      return writer.own < 0 &&
        !writer.once.isBroken &&
        !writer.levels.some(({ isLoop }) => isLoop) &&
        random.chance(0.3)
        ? writeBreakpoint(writer)
        : [writePrint(writer)];
    default:
      return [writePrint(writer)];
  }
}

function writeBreakpoint(writer: Writer): Part["pieces"] {
  writer.once.isBroken = true;
  return ["{{cacheBreakpoint}}"];
}

function writePrint(writer: Writer): string {
  const { random } = writer;
  const value = writeExpression(writer, random.chance(0.97) ? "scalar" : "any", random.int(4));
  if (value.text.startsWith("(")) return `{{${value.text.slice(1, -1)}}}`;
  if (!isPath(value.text)) return random.pick(["text", "\\n", ""]);
  const [open, close] = random.pick([
    ["{{", "}}"],
    ["{{", "}}"],
    ["{{", "}}"],
    ["{{{", "}}}"],
    ["{{&", "}}"],
  ] as const);
  return `${open}${value.text}${close}`;
}

/** Inside a branch: what the condition named is named there. */
function branch(writer: Writer, named: readonly Written[]): Part {
  const { random, depth } = writer;
  const inside = {
    ...writer,
    depth: depth + 1,
    named: [...named.filter(({ text }) => isPath(text) || text.startsWith("(")), ...writer.named].slice(0, 8),
  };
  return writeBody(inside, random.chance(0.2) ? 2 : 1);
}

function writeIf(writer: Writer): Part["pieces"] {
  const { random } = writer;
  const pieces: (string | Part)[] = [];
  const head = () => {
    const from = writer.used.length;
    const condition = random.chance(0.15)
      ? writeCount(writer)
      : random.chance(0.25)
        ? writeExpression(writer, random.pick(["any", "number", "scalar"]), 2)
        : writeCondition(writer, random.int(4));
    const zero = random.chance(0.25) ? " includeZero=true" : random.chance(0.05) ? " includeZero=false" : "";
    return { text: `${condition.text}${zero}`, named: writer.used.slice(from) };
  };
  const tag = random.pick(["if", "if", "unless"]);
  const first = head();
  pieces.push(`{{#${tag} ${first.text}}}`, branch(writer, first.named));
  let named = first.named;
  for (let i = random.pick([0, 0, 0, 1, 1, 2]); i > 0; i--) {
    const next = head();
    named = [...next.named, ...named];
    pieces.push(`{{else ${random.pick(["if", "if", "if", "unless"])} ${next.text}}}`, branch(writer, named));
  }
  if (random.chance(0.08)) {
    const write = random.pick([writeWith, writeEach]);
    // A block that follows `else` is closed by the first one's end.
    pieces.push(...write({ ...writer, named }, "else ").slice(0, -1));
  } else if (random.chance(0.6))
    pieces.push(random.pick(["{{else}}", "{{else}}", "{{^}}"]), branch(writer, named));
  return [...pieces, `{{/${tag}}}`];
}

const BLOCK_NAMES = ["it", "one", "name", "title", "kind", "items"];

/** Inside a new scope: what was named is a step further out, unless a name or `@root` leads there. */
function enter(writer: Writer, level: Level, named: readonly Written[]): Writer {
  const fixed = new Set(writer.levels.flatMap(({ item, key }) => [item, key]));
  const out = (text: string): string | null => {
    if (text.startsWith("@root") || fixed.has(text.split(/[./]/)[0] ?? "")) return text;
    if (text.startsWith("@") || !isPath(text)) return null;
    if (text === "this" || text === ".") return "..";
    return `../${text.replace(/^this\.|^\.\/(?!\.)/, "")}`;
  };
  const self = level.item ?? "this";
  const moved = named.flatMap(({ text, shape }) => {
    const is = out(text);
    const isHidden = is !== null && (is === level.item || is === level.key);
    return is === null || isHidden ? [] : [{ text: is, shape }];
  });
  const own = level.shape === null ? [] : [{ text: self, shape: level.shape }];
  const levels = [level, ...writer.levels];
  return { ...writer, depth: writer.depth + 1, levels, named: [...own, ...moved].slice(0, 8) };
}

const nameOf = ({ random }: Writer, chance: number): string | null =>
  random.chance(chance) ? random.pick(BLOCK_NAMES) : null;

function writeWith(writer: Writer, open = "#"): Part["pieces"] {
  const { random } = writer;
  const value = writeExpression(
    writer,
    random.pick(["any", "object", "object", "number", "scalar"]),
    random.int(3),
  );
  const item = nameOf(writer, 0.4);
  const shape = value.shape === null ? null : without(value.shape);
  const level: Level = { shape, under: null, isLoop: false, item, key: null, keys: NUMBER };
  const inside = enter(writer, level, [value, ...writer.named]);
  const body = writeBody(inside, 1 + random.int(2));
  const otherwise = random.chance(0.3) ? ["{{else}}", branch(writer, [value])] : [];
  return [
    `{{${open}with ${value.text}${item === null ? "" : ` as |${item}|`}}}`,
    body,
    ...otherwise,
    "{{/with}}",
  ];
}

function writeEach(writer: Writer, open = "#"): Part["pieces"] {
  const { random } = writer;
  const over = writeExpression(
    writer,
    random.pick(["list", "list", "record", "object", "loop"]),
    random.int(3),
  );
  const of = over.shape === null ? null : without(over.shape);
  const isNamed = of?.kind === "record" || of?.kind === "object";
  const item = nameOf(writer, 0.45);
  const second = item !== null && random.chance(0.5) ? random.pick(["i", "k", "note", "count"]) : null;
  const shape = of?.kind === "list" ? of.item : of?.kind === "record" ? of.value : null;
  const level: Level = {
    shape,
    under: null,
    isLoop: true,
    item,
    key: second,
    keys: isNamed ? STRING : NUMBER,
  };
  const inside = enter(writer, level, [over, ...writer.named]);
  const body = writeBody(inside, 1 + random.int(2));
  const names = item === null ? "" : ` as |${item}${second === null ? "" : ` ${second}`}|`;
  const otherwise = random.chance(0.3) ? ["{{else}}", branch(writer, [over])] : [];
  return [`{{${open}each ${over.text}${names}}}`, body, ...otherwise, "{{/each}}"];
}

const FIELD_NAMES = ["extra", "mode", "mode", "name", "name", "a", "length", "kind", "items", "[0]"];

function writeInclude(writer: Writer): Part["pieces"] {
  const { random, known, own } = writer;
  const reusable = known.filter(({ key }) => Number(key.slice(1)) > own);
  const isNew = reusable.length === 0 || (known.length < MOST_PARTIALS && random.chance(0.6));
  if (isNew && known.length >= MOST_PARTIALS) return [writePrint(writer)];
  const before = isNew ? null : random.pick(reusable);
  const context = random.chance(0.7)
    ? writeExpression(
        writer,
        random.pick(["any", "object", "object", "list", "record", "scalar"]),
        random.int(3),
      )
    : null;
  const base = context === null ? (writer.levels[0]?.shape ?? null) : context.shape;
  const names = before?.fields ?? fieldNames(writer);
  const fields = names.map((text) => {
    const value = writeExpression(writer, "any", random.int(3));
    return { text, shape: value.shape, value: value.text };
  });
  const key = before?.key ?? newPartial(writer, context === null, base, fields);
  const given = fields.map(({ text, value }) => ` ${text}=${value}`).join("");
  return [`{{> ${key}${context === null ? "" : ` ${context.text}`}${given}}}`];
}

function fieldNames({ random, levels }: Writer): string[] {
  if (random.chance(0.3)) return [];
  const shape = levels[0]?.shape ?? null;
  const here = shape?.kind === "object" ? [...shape.fields.keys()] : [];
  const from = here.length > 0 && random.chance(0.4) ? here : FIELD_NAMES;
  return [...new Set(Array.from({ length: 1 + random.int(2) }, () => random.pick(from)))];
}

/** Writes a partial for what is given to it here. */
function newPartial(writer: Writer, isHere: boolean, base: Shape | null, fields: readonly Written[]): string {
  const { random, known, partials } = writer;
  const key = `p${known.length}`;
  const own = known.length;
  known.push({ key, fields: fields.map(({ text }) => text) });
  const of = base === null ? null : without(base);
  const shape = fields.length === 0 ? of : objectOf(of, fields);
  const under = fields.length === 0 || of?.kind === "object" ? null : of;
  const level: Level = { shape, under, isLoop: false, item: null, key: null, keys: NUMBER };
  const given = fields.map(({ text, shape: is }) => ({
    text: text === "length" ? "this.length" : text,
    shape: is,
  }));
  const carried = isHere
    ? writer.named.filter(({ text }) => /^[a-z-]+$/.test(text) && !BLOCK_NAMES.includes(text))
    : [];
  const inside = { ...writer, depth: writer.depth + 1, own, levels: [level], named: [...given, ...carried] };
  partials.set(key, { pieces: [], used: [], again: null });
  if (random.chance(0.08)) {
    writer.slots.add(key);
    partials.set(key, writeSlots(random, shape));
    return key;
  }
  partials.set(key, writeBody({ ...inside, depth: Math.min(inside.depth, DEEPEST - 2) }, 1 + random.int(2)));
  return key;
}
