import type { Position } from "@incipit/schema";
import { didYouMean } from "../did-you-mean.ts";
import { HELPERS } from "../helper-table.ts";
import type { Access } from "./access.ts";
import { type Checker, type Env, type Goal, report } from "./checker.ts";
import { learn, refine } from "./facts.ts";
import { type Atom, describeAtom, isList, isNullish, isPrintable, type Type } from "./types.ts";

/** A field that is read: its name, its place, and the path it is written in. */
export type FieldRead = {
  readonly name: string;
  readonly position: Position;
  readonly text: string;
  /** What it is read from, as it is written; empty where the name stands first. */
  readonly holder: string;
  /** Whether it stands first in its path, so that it could also have been meant as another name. */
  readonly isFirst: boolean;
};

/** A goal for the search of a witness: the value at a place is one of the bad ones. */
export function goalOf(env: Env, access: Access | null, isBad: (atom: Atom) => boolean): Goal | null {
  if (!env.reachable) return null;
  return { worlds: env.worlds, access, bad: access === null ? null : (atom) => (isBad(atom) ? atom : null) };
}

/** ` in the variant "A run on a task"`, where a goal needs some of the contract's variants and not all. */
export function inVariants(checker: Checker, goal: Goal | null): string {
  const { variants } = checker.contract;
  if (variants.length < 2 || goal === null || goal.access === null || goal.access.root !== 0) return "";
  const titles = new Set<string>();
  for (const { facts } of goal.worlds) {
    const learnt = goal.bad === null ? facts.get(0) : learn(facts.get(0), goal.access.steps, goal.bad);
    for (const atom of refine(checker.roots[0] ?? [], learnt))
      if (atom.kind === "object" && atom.title !== null) titles.add(atom.title);
  }
  if (titles.size === 0 || titles.size === variants.length) return "";
  const names = [...titles].map((title) => `"${title}"`).join(", ");
  return ` in the variant${titles.size > 1 ? "s" : ""} ${names}`;
}

/** What a type's atoms that fit are, in words: `null or absent`. */
export function listAtoms(type: Type, isMeant: (atom: Atom) => boolean): string {
  return [...new Set(type.filter(isMeant).map(describeAtom))].join(" or ");
}

/** The path up to a field: what it is read from. */
function holderText({ holder }: FieldRead): string {
  return holder === "" ? "the value it is read from" : `\`${holder}\``;
}

/** A field that the contract does not list where it is read. */
export function refuseMissing(
  checker: Checker,
  env: Env,
  holder: Access,
  type: Type,
  read: FieldRead,
  lacks: (atom: Atom) => boolean,
): void {
  const { name, text } = read;
  const isOfLists = type.every((atom) => !lacks(atom) || isList(atom));
  const names = namesOf(type.filter(lacks));
  const message = isOfLists
    ? `\`${text}\` cannot be read: ${holderText(read)} is a list and has no field \`${name}\`.`
    : `\`${text}\` is not in the contract: there is no field \`${name}\` here.`;
  const hint = isOfLists
    ? `Loop over it: {{#each ${read.holder === "" ? "this" : read.holder}}}…{{/each}}; how many there are gives (length …).`
    : (nearName(checker, read, names) ?? listFields(names));
  report(checker, "unknown_field", read.position, message, hint, goalOf(env, holder, lacks));
}

/** The names that may be read of the objects among some atoms. */
function namesOf(type: Type): ReadonlySet<string> {
  const lists = new Set(type.flatMap((atom) => (atom.kind === "object" ? [atom.names()] : [])));
  return new Set([...lists].flatMap((names) => [...names]));
}

const SHOWN_FIELDS = 8;

function listFields(names: ReadonlySet<string>): string | undefined {
  if (names.size === 0) return undefined;
  const shown = [...names].slice(0, SHOWN_FIELDS).join(", ");
  return `There are: ${shown}${names.size > SHOWN_FIELDS ? ` and ${names.size - SHOWN_FIELDS} more` : ""}.`;
}

/** The name most likely meant: a field here, else one of the context, else a helper. */
function nearName(
  checker: Checker,
  { name, isFirst }: FieldRead,
  names: ReadonlySet<string>,
): string | undefined {
  const outer = isFirst ? namesOf(checker.roots[0] ?? []) : new Set<string>();
  const near = outer.has(name) ? undefined : didYouMean(name, names);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  if (!isFirst) return undefined;
  const above = outer.has(name) ? name : didYouMean(name, outer);
  if (above !== undefined) return `Did you mean \`@root.${above}\`?`;
  const helper = didYouMean(name, Object.keys(HELPERS));
  return helper === undefined ? undefined : `Did you mean the helper \`${helper}\`?`;
}

/** A field read from what may be null or absent. */
export function refuseNullish(checker: Checker, env: Env, holder: Access, type: Type, read: FieldRead): void {
  const goal = goalOf(env, holder, isNullish);
  const from = holderText(read);
  const always = type.every(isNullish);
  const message =
    `\`${read.text}\` cannot be read: ${from} ${always ? "is" : "may be"} ${listAtoms(type, isNullish)}` +
    `${always ? " here" : inVariants(checker, goal)}.`;
  const { holder: guard, text } = read;
  const rest = text.slice(guard.length).replace(/^[./]+/, "");
  const ways =
    guard === ""
      ? "Guard it"
      : `Guard it: {{#if ${guard}}}…{{/if}}, or {{#with ${guard}}}{{${rest}}}{{/with}}`;
  const hint = always
    ? "Here it never is: what stands around this leads to contexts that do not have it."
    : `${ways}; \`and\` does not guard, since a helper's arguments are all read before it runs.`;
  report(checker, "read_through_null", read.position, message, hint, goal);
}

/** A field read from a string, a number or a boolean; `holder` is null where that is a loop's variable. */
export function refuseScalar(
  checker: Checker,
  env: Env,
  holder: Access | null,
  type: Type,
  read: FieldRead,
): void {
  const always = type.every(isPrintable);
  const message = `\`${read.text}\` cannot be read: ${holderText(read)} ${always ? "is" : "may be"} ${listAtoms(type, isPrintable)} and has no field \`${read.name}\`.`;
  const hint =
    read.name === "length" && read.holder !== ""
      ? `How long a text is gives (length ${read.holder}).`
      : undefined;
  report(checker, "not_an_object", read.position, message, hint, goalOf(env, holder, isPrintable));
}
