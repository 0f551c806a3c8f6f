import { type Contract, type Field, LIMITS, type ObjectShape, type Shape } from "@incipit/schema";
import { insideLoop, rootPlace, showUse, type Place } from "./contract-example.ts";
import { membersOf } from "./contract-shapes.ts";
import { HELPERS } from "./helper-table.ts";

/**
 * What authors of templates read about a contract, as Markdown: every field with its type, when it is empty, what it holds
 * and how to use it; then the language, its helpers and its limits. Equal contracts give equal texts.
 */
export function writeContractReference(contract: Contract, version: number | null): string {
  const { name, document, variants } = contract;
  const named = nameShared(variants);
  const sections = [
    `# ${name}${version === null ? "" : `, version ${version}`}`,
    ...(document.description === undefined ? [] : [document.description.trim()]),
    "What a template written against this contract can read. A field that is absent reads as null; null is falsy, and must stand behind a guard where it is printed or looked into.",
  ];
  for (const variant of variants) {
    sections.push(variants.length > 1 ? `## Variant: ${variant.title ?? ""}` : "## Fields");
    if (variants.length > 1)
      sections.push(
        "A field that only other variants have reads as absent here: `{{#if task}}` tells whether there is one.",
      );
    sections.push(table(rows(variant, "", rootPlace(contract.root), named, new Set(), 0)));
  }
  for (const [shape, title] of named) {
    if (variants.includes(shape)) continue;
    sections.push(`## ${title}`, table(rows(shape, "", rootPlace(shape), named, new Set([shape]), 0)));
  }
  sections.push(...languageSections());
  return `${sections.join("\n\n")}\n`;
}

type Row = readonly string[];

function table(all: readonly Row[]): string {
  const header: Row = ["field", "type", "empty", "what it holds", "example"];
  const lines = [header, header.map(() => "---"), ...all].map((row) => `| ${row.join(" | ")} |`);
  return lines.join("\n");
}

/** Objects that hold themselves, or are met again: described once, under their title. */
function nameShared(variants: readonly ObjectShape[]): Map<ObjectShape, string> {
  const seen = new Set<Shape>();
  const named = new Map<ObjectShape, string>();
  const walk = (shape: Shape): void => {
    if (seen.has(shape)) {
      if (shape.kind === "object" && shape.title !== null) named.set(shape, shape.title);
      return;
    }
    seen.add(shape);
    if (shape.kind === "list") walk(shape.item);
    if (shape.kind === "record") walk(shape.value);
    if (shape.kind === "union") shape.members.forEach(walk);
    if (shape.kind === "object") for (const field of shape.fields.values()) walk(field.shape);
  };
  variants.forEach(walk);
  return named;
}

/** Levels that are written out below a field; what lies deeper is described under its own title, or left to `json`. */
const DEEPEST = 6;

/** `path` is how the reference names the place, with `[]` and `{}` for loops. */
function rows(
  owner: ObjectShape,
  path: string,
  place: Place,
  named: ReadonlyMap<ObjectShape, string>,
  open: ReadonlySet<ObjectShape>,
  depth: number,
): Row[] {
  return [...owner.fields.values()].flatMap((field) => {
    const at = path === "" ? field.name : `${path}.${field.name}`;
    const { example, inside } = showUse(owner, field, place);
    const texts = [`\`${at}\``, typeText(field.shape, named), emptiness(field), holds(field)];
    const own: Row = [...texts, `\`${example}\``].map(inCell);
    return [own, ...innerRows(field.shape, at, inside, named, open, depth + 1)];
  });
}

function innerRows(
  shape: Shape,
  at: string,
  place: Place,
  named: ReadonlyMap<ObjectShape, string>,
  open: ReadonlySet<ObjectShape>,
  depth: number,
): Row[] {
  if (depth > DEEPEST) return [];
  if (shape.kind === "list")
    return innerRows(shape.item, `${at}[]`, insideLoop(place), named, open, depth + 1);
  if (shape.kind === "record")
    return innerRows(shape.value, `${at}{}`, insideLoop(place), named, open, depth + 1);
  if (shape.kind === "union")
    return shape.members.flatMap((member) => innerRows(member, at, place, named, open, depth + 1));
  if (shape.kind !== "object" || named.has(shape) || open.has(shape)) return [];
  return rows(shape, at, place, named, new Set([...open, shape]), depth);
}

function typeText(shape: Shape, named: ReadonlyMap<ObjectShape, string>): string {
  switch (shape.kind) {
    case "literal":
      return `\`${JSON.stringify(shape.value)}\``;
    case "number":
      return shape.integer ? "whole number" : "number";
    case "list":
      return `list of ${typeText(shape.item, named)}`;
    case "record":
      return `record of ${typeText(shape.value, named)}`;
    case "object":
      return named.get(shape) ?? shape.title ?? "object";
    case "union":
      return shape.members.map((member) => typeText(member, named)).join(" or ");
    default:
      return shape.kind;
  }
}

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

function holds({ description, perCall }: Field): string {
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
