import {
  type Contract,
  type Field,
  LIMITS,
  type ObjectShape,
  type Shape,
  membersOf,
  objectsOf,
} from "@incipit/schema";
import { clip } from "./clip.ts";
import { type Place, wrap } from "./contract-example.ts";
import { tellsApart } from "./contract-shapes.ts";
import { HELPERS } from "./helper-table.ts";
import { layOut, type Section } from "./reference-places.ts";
import { createDone, walkFields } from "./reference-rows.ts";
import { createEntered, nameSections } from "./reference-sections.ts";
import { createTypeWriter, type TypeWriter } from "./reference-types.ts";

/**
 * What authors of templates read about a contract, as Markdown: every field with its type, when it is empty, what it holds
 * and how to use it; then the language, its helpers and its limits. What stands at several places is described once. Equal
 * contracts give equal texts.
 */
export function writeContractReference(contract: Contract, version: number | null): string {
  const { name, document, variants } = contract;
  const names = nameSections(contract);
  const isEntered = createEntered(names);
  const { root, sections, placeOf } = layOut(contract, names, isEntered);
  const writer: Writer = { names, isEntered, types: createTypeWriter(names), told: new Set() };
  const texts = [
    `# ${name}${version === null ? "" : `, version ${version}`}`,
    ...(document.description === undefined ? [] : [document.description.trim()]),
    "What a template written against this contract can read. A field that is absent reads as null; null is falsy, and must stand behind a guard where it is printed or looked into. What is inside of a list (`[]`) or a record (`{}`) is read in its loop: the example of the list or record shows it.",
  ];
  for (const variant of variants) {
    texts.push(variants.length > 1 ? `## Variant: ${variant.title ?? ""}` : "## Fields");
    if (variants.length > 1) texts.push(variantText(variant, variants));
    texts.push(table(writer, variant, root));
  }
  for (const section of sections)
    texts.push(`## ${section.name}`, wayTo(section), table(writer, section.object, placeOf(section)));
  texts.push(...languageSections());
  return `${texts.join("\n\n")}\n`;
}

/** What a template asks to know that it has this variant. */
function variantText(variant: ObjectShape, variants: readonly ObjectShape[]): string {
  const absent = "A field that only other variants have reads as absent here.";
  const tag = tellsApart(variant, variants);
  const others = variants.filter((other) => other !== variant);
  const own = [...variant.fields.values()].find(
    ({ name, required, shape }) =>
      required && shape.kind === "object" && others.every(({ fields }) => !fields.has(name)),
  );
  if (tag !== null)
    return `${absent} \`{{#if (eq ${tag.name} ${JSON.stringify(tag.value)})}}\` is true of this variant alone.`;
  return own === undefined ? absent : `${absent} \`{{#if ${own.name}}}\` is true of this variant alone.`;
}

type Writer = {
  readonly names: ReadonlyMap<ObjectShape, string>;
  readonly isEntered: (shape: Shape) => boolean;
  readonly types: TypeWriter;
  /** Long descriptions that were written: many fields may have that of one definition. */
  readonly told: Set<string>;
};

function table(writer: Writer, owner: ObjectShape, place: Place): string {
  const header = ["field", "type", "empty", "what it holds", "example"];
  const rows: (readonly string[])[] = [header, header.map(() => "---")];
  const onField = (field: Field, at: string, example: string) => {
    const texts = [`\`${at}\``, writer.types(field.shape), emptiness(field), holds(writer, field)];
    rows.push([...texts, `\`${example}\``].map(inCell));
  };
  const onSection = (object: ObjectShape, { guards, mixed, path }: Place, at: string, isTold: boolean) => {
    if (isTold || path !== "" || (mixed === null && guards.length === 0)) return;
    const [text, example] = mixed === null ? [OR_NULL, "…"] : [OR_OTHER, "{{json this}}"];
    const empty = guards.length === 0 ? "never" : "may be null";
    rows.push([`\`${at}\``, writer.types(object), empty, text, `\`${wrap(guards, example)}\``].map(inCell));
  };
  const { names: sections, isEntered } = writer;
  const walk = { sections, isEntered, done: createDone(), onField, onSection };
  walkFields(walk, owner, "", place);
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** What may stand in a list or record where several objects have one of the same name, and nothing tells them apart. */
const OR_NULL = "Null may stand here.";
const OR_OTHER = "A value of another kind may stand here: each is printed as a whole.";

/** How a template comes to what a section describes, and what else it may find there. */
function wayTo({ object, shapes, way }: Section): string {
  if (way === null) throw new Error("no field leads to a section");
  const { text, of, place } = way;
  const where = of === null ? "" : ` in ${of.name}`;
  const example = text.length > LONGEST_WAY ? "" : ` \`${text}\`${where}`;
  if (place.mixed !== null)
    return `It stands only where there may be a value of another kind too, and is printed with that as a whole${example && `, as in${example}`}.`;
  const isAlone = [...shapes].flatMap(objectsOf).every((other) => other === object);
  const others = isAlone
    ? ""
    : "\n\nAnother object may stand in its place, for which the examples are right too.";
  return `Its fields, read where it is the current value${example && `, as inside of${example}`}.${others}`;
}

/** Characters of a way that is shown. */
const LONGEST_WAY = 1_000;

function emptiness({ shape, required, default: given }: Field): string {
  const ways = [];
  if (given !== undefined) ways.push(`default \`${JSON.stringify(given)}\``);
  else if (!required) ways.push("may be absent");
  if (membersOf(shape).some(({ kind }) => kind === "null")) ways.push("may be null");
  if (membersOf(shape).some((member) => member.kind === "string" && member.minLength === 0))
    ways.push('may be ""');
  if (membersOf(shape).some((member) => member.kind === "list" && member.minItems === 0))
    ways.push("may be empty");
  return ways.length === 0 ? "never" : ways.join(", ");
}

/** Characters of a description that is written again. */
const LONGEST_AGAIN = 300;

function holds({ told }: Writer, { description: whole, perCall }: Field): string {
  const description = told.has(whole) ? clip(whole, LONGEST_AGAIN) : whole;
  told.add(whole);
  return perCall
    ? `${description} Another value with every call: read it after \`{{cacheBreakpoint}}\`.`
    : description;
}

/** A text on one line, that ends no cell of a table. */
const inCell = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");

/** The language in short: the same for every contract. */
function languageSections(): string[] {
  const helpers = Object.entries(HELPERS).map(
    ([name, { usage, takes, gives }]) => `| \`${name}\` | \`${usage}\` | ${takes} | ${gives} |`,
  );
  const { bodyBytes, nesting, steps, outputBytes, includeDepth, contextBytes } = LIMITS;
  return [
    "## Guards",
    [
      "- `{{#if x}}…{{else}}…{{/if}}`, `{{#unless x}}`, `{{#with x as |name|}}` and `{{#each xs as |item index|}}` guard what stands inside.",
      '- Falsy are: absent, null, false, `""`, 0 and an empty list. `{{#if x includeZero=true}}` takes 0 for true.',
      '- `{{default x "…"}}` prints what is given where `x` is absent or null.',
      "- **The arguments of a helper are all read before it runs.** `{{#if (and a a.b)}}` is refused where `a` may be absent: write `{{#if a}}{{#if a.b}}…{{/if}}{{/if}}`.",
      '- `{{#if (eq x.kind "a")}}` tells the members of a union apart.',
      "- A name of a record, and an item of a list, may be absent: guard `(lookup record name)` and `list.[3]`.",
    ].join("\n"),
    "## Helpers",
    ["| helper | use | takes | gives |", "| --- | --- | --- | --- |", ...helpers].join("\n"),
    "## Limits",
    [
      `- a body of ${bodyBytes / 1024} KiB, blocks and parentheses ${nesting} deep, includes ${includeDepth} deep`,
      `- a context of ${contextBytes / 1024} KiB, a text of ${outputBytes / 1024} KiB, ${steps.toLocaleString("en")} steps of evaluation`,
    ].join("\n"),
  ];
}
