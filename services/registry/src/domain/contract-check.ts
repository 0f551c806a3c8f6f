import { type Contract, type Finding, type Reads, READS_ALL } from "@incipit/schema";
import { checkTemplate, linkTemplate, parseTemplate } from "@incipit/templates";
import type { Source, View } from "./facts.ts";

/** What checking a template against a contract tells. */
type Checked = { findings: readonly Finding[]; warnings: readonly Finding[]; reads: Reads };

/** A template that includes nothing sees no partials, whatever it is looked at from. */
const NO_PARTIALS = new Map<string, null>();

/**
 * Checks a template, with all it includes from one point of view, against a contract. Its includes must have been checked
 * before: what does not link is told by nothing here.
 */
export function checkAgainst(
  key: string,
  source: Source,
  view: View | undefined,
  contract: Contract,
  options: { witnesses: boolean } = { witnesses: true },
): Checked {
  const nothing: Checked = { findings: [], warnings: [], reads: READS_ALL };
  const parsed = parseSource(source);
  if (!parsed.ok) return nothing;
  const partials = view?.partials ?? NO_PARTIALS;
  const linked = linkTemplate(key, parsed.value, (name) => {
    const partial = partials.get(name);
    if (partial === undefined || partial === null || partial.source === null) return undefined;
    const body = parseSource(partial.source);
    return body.ok ? { key: name, version: partial.version, parsed: body.value } : undefined;
  });
  return linked.ok ? checkTemplate(linked.value, contract, options) : nothing;
}

const parsedSources = new WeakMap<Source, ReturnType<typeof parseTemplate>>();

/** Parses a body, once for as long as the facts are held: many templates of one decision include the same partials. */
function parseSource(source: Source): ReturnType<typeof parseTemplate> {
  const before = parsedSources.get(source);
  if (before !== undefined) return before;
  const parsed = parseTemplate(source.body, source.syntax);
  parsedSources.set(source, parsed);
  return parsed;
}

/** Warnings that one reply lists at most: a body may have tens of thousands, and the reply must fit into one message. */
const LISTED_WARNINGS = 100;

/** Warnings as replies carry them, each once: code, place and what it says. The last tells how many are left out. */
export function warningTexts(reports: readonly Pick<Checked, "warnings">[]): string[] {
  const texts = reports.flatMap(({ warnings }) =>
    warnings.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`),
  );
  const distinct = [...new Set(texts)];
  const left = distinct.length - LISTED_WARNINGS;
  return left <= 0 ? distinct : [...distinct.slice(0, LISTED_WARNINGS), `and ${left} more`];
}
