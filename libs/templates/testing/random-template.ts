import type { Contract, ObjectShape, Shape } from "@incipit/schema";
import type { Random } from "./random.ts";
import { isScalar, mayBeNull, pickRef, type Ref, type Scope, without } from "./random-refs.ts";

/** A template and its partials. */
export type RandomTemplate = {
  readonly body: string;
  readonly partials: ReadonlyMap<string, string>;
  /** Partials in the slots syntax; all else is Handlebars. */
  readonly slots?: ReadonlySet<string>;
};

type Writer = {
  readonly random: Random;
  readonly root: Shape;
  readonly partials: Map<string, string>;
  /** How often a guard is left out, and a name misspelt. */
  readonly errors: number;
  /** Paths that a block around has found to be there. */
  readonly known: ReadonlySet<string>;
  readonly scopes: readonly Scope[];
  readonly depth: number;
  readonly inPartial: number;
  names: { count: number };
};

/** A random template over a contract: mostly guarded where it must be, now and then not. */
export function randomTemplate(random: Random, contract: Contract): RandomTemplate {
  const writer: Writer = {
    random,
    root: contract.root,
    partials: new Map(),
    errors: random.pick([0, 0.01, 0.03, 0.08]),
    known: new Set(),
    scopes: [{ shape: contract.root, isLoop: false, name: null }],
    depth: 0,
    inPartial: 0,
    names: { count: 0 },
  };
  const body = writeBody(writer, 2 + random.int(3));
  return { body, partials: writer.partials };
}

function writeBody(writer: Writer, count: number): string {
  let body = "";
  for (let i = 0; i < count; i++)
    body += writer.random.pick(["", " ", "text ", "\n"]) + writeStatement(writer);
  return body;
}

const inner = (writer: Writer, more: Partial<Writer> = {}): Writer => ({
  ...writer,
  depth: writer.depth + 1,
  ...more,
});

const knows = (writer: Writer, ...paths: string[]) => new Set([...writer.known, ...paths]);

/** What `../` and block parameters mean changes with each scope, so that known paths are forgotten. */
function enter(writer: Writer, shape: Shape, isLoop: boolean, name: string | null): Writer {
  const known = new Set([...writer.known].filter((path) => path.startsWith("@root")));
  return inner(writer, { known, scopes: [{ shape, isLoop, name }, ...writer.scopes] });
}

function writeStatement(writer: Writer): string {
  const { random, depth } = writer;
  if (depth < 4 && random.chance(0.12)) return writeCondition(writer);
  if (random.chance(0.05) && writer.scopes[0]?.isLoop)
    return random.pick([
      "{{@index}}",
      "{{#unless @last}},{{/unless}}",
      "{{#if @first}}first{{/if}}",
      "{{@key}}",
    ]);
  const ref = pickRef(writer);
  if (ref === null) return "-";
  if (random.chance(writer.errors)) return `{{${misspell(writer, ref.text)}}}`;
  if (ref.maybe && !writer.known.has(ref.text) && !random.chance(writer.errors * 2))
    return writeGuarded(writer, ref);
  return writeValue(writer, ref);
}

function misspell({ random }: Writer, text: string): string {
  return random.chance(0.5) ? `${text}x` : text.replace(/.$/, "") || "x";
}

function writeGuarded(writer: Writer, ref: Ref): string {
  const { random } = writer;
  const { text } = ref;
  const sure = { ...ref, maybe: false };
  const guarded = () => writeValue(inner(writer, { known: knows(writer, text) }), sure);
  switch (random.int(isScalar(ref.shape) ? 7 : 4)) {
    case 0:
      return `{{#if ${text}}}${guarded()}{{else}}none{{/if}}`;
    case 1:
      return `{{#unless ${text}}}none{{else}}${guarded()}{{/unless}}`;
    case 2: {
      const name = blockName(writer);
      const inside = enter(writer, without(ref.shape), false, name);
      const body = isScalar(ref.shape)
        ? `{{${random.pick(["this", name ?? "this"])}}}`
        : writeBody(inside, 1);
      return `{{#with ${text}${name === null ? "" : ` as |${name}|`}}}${body}{{/with}}`;
    }
    case 3:
      return `{{#if (not ${text})}}none{{else if true}}${guarded()}{{/if}}`;
    case 4:
      return `{{#if (eq ${text} null)}}none{{else}}${guarded()}{{/if}}`;
    case 5:
      return `{{default ${text} "nothing"}}`;
    default:
      return `{{#if (and ${text} true)}}${guarded()}{{/if}}`;
  }
}

const blockName = (writer: Writer): string | null =>
  writer.random.chance(0.4) ? writer.random.pick(["it", "one", `v${writer.names.count++}`, "name"]) : null;

function writeValue(writer: Writer, ref: Ref): string {
  const { random, depth } = writer;
  const { text } = ref;
  const shape = without(ref.shape);
  if (shape.kind === "union" && isScalar(shape)) return random.chance(0.8) ? `{{${text}}}` : `{{{${text}}}}`;
  switch (shape.kind) {
    case "string":
      return random.pick([
        `{{${text}}}`,
        `{{${text}}}`,
        `{{upper ${text}}}`,
        `{{trim (lower ${text})}}`,
        `{{indent ${text} 2}}`,
        `{{#if (gt (length ${text}) 2)}}{{${text}}}{{/if}}`,
        `{{json ${text}}}`,
        `{{#if ${text}}}{{${text}}}{{else}}empty{{/if}}`,
      ]);
    case "number":
      return random.pick([
        `{{${text}}}`,
        `{{#if (gte ${text} 1)}}{{${text}}}{{/if}}`,
        `{{#if ${text} includeZero=true}}{{${text}}}{{/if}}`,
      ]);
    case "list":
      return writeList(writer, text, shape);
    case "record":
      if (depth > 4 || random.chance(0.3)) return `{{json ${text} 2}}{{length ${text}}}`;
      return writeRecord(writer, text, shape.value);
    case "object":
      return writeObject(writer, text, shape);
    case "union":
      return writeUnion(writer, text, shape.members);
    default:
      return `{{${text}}}`;
  }
}

function writeList(writer: Writer, text: string, list: Shape & { kind: "list" }): string {
  const { random, depth } = writer;
  const scalars = isScalar(list.item) && !mayBeNull(list.item);
  if (scalars && random.chance(0.3)) return `{{join ${text} "; "}}`;
  if (depth > 4 || random.chance(0.1)) return `{{length ${text}}}{{${text}.length}}`;
  if (random.chance(0.2)) {
    const at = list.minItems > 0 ? `${text}.[0]` : `(lookup ${text} 0)`;
    const [open, close] = list.minItems > 0 ? ["", ""] : [`{{#if (gt (length ${text}) 0)}}`, "{{/if}}"];
    if (scalars) return `${open}{{${list.minItems > 0 ? at : at.slice(1, -1)}}}${close}`;
    return `${open}{{json ${at}}}${close}`;
  }
  if (random.chance(0.1)) {
    const item = `(lookup ../${text} @index)`;
    if (scalars && !text.startsWith("@") && !/^v\d|^it|^one|^name\./.test(text))
      return `{{#each ${text}}}{{#if ${item}}}{{this}}{{/if}}{{/each}}`;
  }
  const name = blockName(writer);
  const inside = enter(writer, list.item, true, name);
  const names = name === null ? "" : ` as |${name}${random.chance(0.3) ? " i" : ""}|`;
  return `{{#each ${text}${names}}}${writeBody(inside, 1 + random.int(2))}{{else}}none{{/each}}`;
}

function writeRecord(writer: Writer, text: string, value: Shape): string {
  const { random } = writer;
  if (random.chance(0.4))
    return `{{#each ${text}}}{{@key}}:${writeBody(enter(writer, value, true, null), 1)}{{/each}}`;
  const at = `(lookup ${text} "${random.pick(["a", "mode", "name"])}")`;
  const by = pickRef(writer);
  if (by !== null && !by.maybe && by.shape.kind === "string" && random.chance(0.5)) {
    const dynamic = `(lookup ${text} ${by.text})`;
    return `{{#with ${dynamic}}}${writeBody(enter(writer, without(value), false, null), 1)}{{/with}}{{#if ${dynamic}}}{{json ${dynamic}}}{{/if}}`;
  }
  if (isScalar(value)) return `{{#if ${at}}}{{${at.slice(1, -1)}}}{{/if}}`;
  return `{{#with ${at}}}${writeBody(enter(writer, without(value), false, null), 1)}{{/with}}`;
}

function writeObject(writer: Writer, text: string, shape: ObjectShape): string {
  const { random, depth } = writer;
  if (depth > 4 || random.chance(0.08)) return `{{json ${text}}}`;
  if (random.chance(0.06))
    return `{{#each ${text} as |field key|}}{{key}}={{json field}}{{@key}}{{@last}}{{/each}}{{length ${text}}}`;
  if (random.chance(0.25)) return writePartial(writer, text, shape);
  const name = blockName(writer);
  return `{{#with ${text}${name === null ? "" : ` as |${name}|`}}}${writeBody(enter(writer, shape, false, name), 1 + random.int(2))}{{/with}}`;
}

/** A partial for a context, with its own few arguments; now and then for the current one. */
function writePartial(writer: Writer, text: string, shape: Shape): string {
  const { random, partials, scopes } = writer;
  if (partials.size > 3 || writer.inPartial > 1) return `{{json ${text}}}`;
  const key = `p${partials.size}`;
  partials.set(key, "");
  const current = scopes[0]?.shape ?? null;
  const isCurrent = current !== null && random.chance(0.3);
  const inside: Writer = {
    ...writer,
    depth: writer.depth + 1,
    inPartial: writer.inPartial + 1,
    // Of what is known here, a partial on the same value knows what is said of that value itself.
    known: new Set(
      [...writer.known].filter((path) => path.startsWith("@root") || (isCurrent && /^[^.@(]/.test(path))),
    ),
    scopes: [{ shape: isCurrent ? current : shape, isLoop: false, name: null }],
  };
  const given = random.chance(0.4) ? pickRef(writer) : null;
  const argument = given !== null && isScalar(given.shape) ? ` extra=${given.text}` : "";
  const constant = random.chance(0.2) ? ` mode="${random.pick(["a", "b"])}"` : "";
  const own = argument === "" ? "" : "{{#if extra}}{{extra}}{{/if}}";
  const moded = constant === "" ? "" : `{{#if (eq mode "a")}}${writeBody(inside, 1)}{{else}}{{mode}}{{/if}}`;
  partials.set(key, own + moded + writeBody(inside, 1 + random.int(2)));
  return `{{> ${key}${isCurrent ? "" : ` ${text}`}${argument}${constant}}}`;
}

function writeUnion(writer: Writer, text: string, members: readonly Shape[]): string {
  const { random } = writer;
  const objects = members.filter((member) => member.kind === "object");
  if (
    objects.length < 2 ||
    objects.length < members.length ||
    !objects.every(({ fields }) => fields.has("kind"))
  )
    return `{{json ${text}}}`;
  const [first, second] = objects;
  if (first === undefined || second === undefined) return `{{json ${text}}}`;
  const tag = random.pick(["a", "b"]);
  const [is, isNot] = tag === "a" ? [first, second] : [second, first];
  const scoped = (shape: ObjectShape) =>
    writeBody(
      inner(writer, { known: new Set(), scopes: [{ shape, isLoop: false, name: null }, ...writer.scopes] }),
      1,
    );
  return `{{#with ${text}}}{{#if (eq kind "${tag}")}}${scoped(is)}{{else}}${scoped(isNot)}{{/if}}{{/with}}`;
}

/** A condition over two values, with what it tells on either side. */
function writeCondition(writer: Writer): string {
  const { random } = writer;
  const a = pickRef(writer);
  const b = pickRef(writer);
  if (a === null || b === null) return "-";
  const body = (paths: string[]) => writeBody(inner(writer, { known: knows(writer, ...paths) }), 1);
  switch (random.int(5)) {
    case 0:
      return `{{#if (and ${a.text} ${b.text})}}${body([a.text, b.text])}{{else}}${body([])}{{/if}}`;
    case 1:
      return `{{#if (or ${a.text} ${b.text})}}{{#if ${a.text}}}${body([a.text])}{{else}}${body([b.text])}{{/if}}{{/if}}`;
    case 2:
      return `{{#if ${a.text}}}${body([a.text])}{{else if ${b.text}}}${body([b.text])}{{else}}${body([])}{{/if}}`;
    case 3:
      return `{{#unless (or (not ${a.text}) (not ${b.text}))}}${body([a.text, b.text])}{{/unless}}`;
    default:
      return `{{#if (not (and ${a.text} ${b.text}))}}no{{else}}${body([a.text, b.text])}{{/if}}`;
  }
}
