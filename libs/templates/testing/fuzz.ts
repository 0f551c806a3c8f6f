import {
  type Contract,
  createValidator,
  type Finding,
  type Json,
  type JsonObject,
  markAbsent,
  parseContract,
  type Reads,
  readsOfField,
  readsOfItems,
} from "@incipit/schema";
import {
  checkTemplate,
  type CheckReport,
  linkTemplate,
  type LinkedTemplate,
  parseTemplate,
  render,
} from "../src/index.ts";
import { setField } from "../src/witness/json-object.ts";
import { mendPart, partsOf, writePart } from "./part.ts";
import { createRandom, type Random } from "./random.ts";
import { CONTEXT_STYLES, randomContext } from "./random-context.ts";
import { randomDocument } from "./random-contract.ts";
import { randomTemplate, type RandomTemplate } from "./random-template.ts";
import { type WholeTemplate, wholeTemplate } from "./random-whole.ts";
import { wildTemplate } from "./random-wild.ts";

/** A contract and a template over it, linked and checked. */
export type Pair = {
  readonly contract: Contract;
  readonly template: RandomTemplate;
  readonly linked: LinkedTemplate;
  readonly report: CheckReport;
};

/** What a pair is asked to be. */
type PairOptions = {
  /** Whether to look for the contexts that a refused template fails with. */
  readonly witnesses: boolean;
  /** How many templates are of all of the language, and of those are mended: shares of 1. */
  readonly whole?: number;
  readonly mended?: number;
};

/** How many templates try all of the language, and how many of those are mended until the checker accepts them. */
const WHOLE = 0.6;
const MENDED = 0.7;

/** Of the others, how many templates are of conditions of any make; few of those are accepted, and they look where guards do not. */
const WILD = 0.4;

/** The pair of a seed; null where the template is no template at all. */
export function pairOf(random: Random, options: PairOptions): Pair | null {
  const contract = parseContract("c", randomDocument(random));
  if (!contract.ok) throw new Error(contract.problem.message);
  const template = templateFor(random, contract.value, options);
  const linked = link(template);
  if (linked === null) return null;
  const report = checkTemplate(linked, contract.value, options);
  return { contract: contract.value, template, linked, report };
}

function templateFor(
  random: Random,
  contract: Contract,
  { whole = WHOLE, mended = MENDED }: PairOptions,
): RandomTemplate {
  if (random.chance(whole)) {
    const tree = wholeTemplate(random, contract);
    if (random.chance(mended)) mend(random, tree, contract);
    return writeWhole(tree);
  }
  return random.chance(WILD) ? wildTemplate(random, contract) : randomTemplate(random, contract);
}

/** How often a template is checked and changed before it is left as it is. */
const MOST_MENDS = 20;

/** Changes what the checker refuses until it refuses nothing: what it should have refused stays. */
function mend(random: Random, tree: WholeTemplate, contract: Contract): void {
  for (let i = 0; i < MOST_MENDS; i++) {
    const linked = link(writeWhole(tree));
    if (linked === null) return;
    const { findings } = checkTemplate(linked, contract, { witnesses: false });
    const parts = partsOf(findings, (key) => (key === undefined ? tree.body : tree.partials.get(key)));
    if (parts.size === 0) return;
    for (const part of parts) mendPart(random, part);
  }
}

const writeWhole = ({ body, partials, slots }: WholeTemplate): RandomTemplate => ({
  slots,
  body: writePart(body),
  partials: new Map([...partials].map(([key, part]) => [key, writePart(part)])),
});

/** Links a template with its partials; null where one of them does not parse. */
export function link({ body, partials, slots }: RandomTemplate): LinkedTemplate | null {
  const parsed = parseTemplate(body, "handlebars");
  if (!parsed.ok) return null;
  const linked = linkTemplate("t", parsed.value, (key) => {
    const partial = parseTemplate(partials.get(key) ?? "", slots?.has(key) === true ? "slots" : "handlebars");
    return partial.ok ? { key, version: 1, parsed: partial.value } : undefined;
  });
  return linked.ok ? linked.value : null;
}

/** What is wrong with an accepted pair: null for nothing. */
export function unsound(random: Random, { contract, linked, report }: Pair, contexts: number): string | null {
  const asRendered = createValidator(contract, report.reads);
  const whole = createValidator(contract);
  for (let i = 0; i < contexts; i++) {
    const style = CONTEXT_STYLES[i % CONTEXT_STYLES.length] ?? "random";
    const context = randomContext(random, contract, style);
    const fault = judge(context);
    if (fault !== null) return `${fault}\nwith ${JSON.stringify(context).slice(0, 2_000)}`;
  }
  return null;

  function judge(context: JsonObject): string | null {
    const all = whole(context);
    if (!all.ok) return `a context of the contract is refused: ${all.problem.message}`;
    const seen = asRendered(context);
    if (!seen.ok) return `a context is refused for what is read: ${seen.problem.message}`;
    const text = render(linked, seen.value);
    if (!text.ok)
      return text.problem.code === "limit_exceeded" ? null : `${text.problem.code}: ${text.problem.message}`;
    // Cut down from what the whole contract made of it, so that it is the same member of each union.
    const pruned = prune(all.value, report.reads);
    const [one, other] = [render(linked, all.value), render(linked, pruned)];
    if (!one.ok || !other.ok || one.value.text !== other.value.text)
      return "what is pruned was read after all";
    return null;
  }
}

/**
 * What is wrong with the reads of a pair, be it refused or not: null for nothing. A template that was accepted is rendered
 * by them also once its contract has become wider.
 */
export function misread(random: Random, { contract, linked, report }: Pair, contexts: number): string | null {
  const whole = createValidator(contract);
  for (let i = 0; i < contexts; i++) {
    const context = randomContext(random, contract, CONTEXT_STYLES[i % CONTEXT_STYLES.length] ?? "random");
    const all = whole(context);
    if (!all.ok) return `a context of the contract is refused: ${all.problem.message}`;
    const [one, other] = [render(linked, all.value), render(linked, prune(all.value, report.reads))];
    const [text, pruned] = [one, other].map(outcome);
    if (text !== pruned)
      return `gives ${pruned}, and with what was pruned ${text}\nwith ${JSON.stringify(context).slice(0, 2_000)}`;
  }
  return null;
}

/** What a render comes to, but for the words of a refusal, which tell what else there is. */
const outcome = (result: ReturnType<typeof render>): string => {
  if (result.ok) return result.value.text;
  const { code, line, column, partial } = result.problem;
  return `${code} at ${partial ?? ""} ${line}:${column}`;
};

/** What a validator for these reads would keep of a value that one for the whole contract made. */
function prune<T extends Json>(value: T, reads: Reads): T {
  if (Array.isArray(value)) {
    const of = readsOfItems(reads);
    const copy = value.map((item) => (of === null ? null : prune(item, of)));
    markAbsent(copy, "any");
    return copy as T;
  }
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as JsonObject;
  for (const [name, field] of Object.entries(value)) {
    const of = readsOfField(reads, name);
    if (of !== null) setField(copy, name, prune(field, of));
  }
  return copy as T;
}

/** The figures of a run. */
export type Figures = {
  pairs: number;
  accepted: number;
  /** Renders of what was accepted. */
  renders: number;
  refused: number;
  /** Refusals of which some finding has a confirmed witness. */
  witnessed: number;
  /** Refusals without one that all come from policies: see `isPolicy`. */
  policies: number;
  /** Refusals without one, by the codes of their findings. */
  without: Map<string, number>;
};

/** Findings that have no witness since none is looked for: they stand where no context leads, or no search could end. */
export const isPolicy = ({ code, witness }: Finding): boolean =>
  code === "check_too_long" || (code === "unknown_field" && witness === undefined);

/** Runs seeds one after the other; `onUnsound` is told of an accepted template that failed. */
export function runFuzz(
  from: number,
  pairs: number,
  contexts: number,
  onUnsound: (seed: number, pair: Pair, fault: string) => void,
  onUnwitnessed?: (seed: number, pair: Pair) => void,
): Figures {
  const figures: Figures = {
    pairs: 0,
    accepted: 0,
    renders: 0,
    refused: 0,
    witnessed: 0,
    policies: 0,
    without: new Map(),
  };
  for (let seed = from; figures.pairs < pairs; seed++) {
    const random = createRandom(seed);
    const pair = pairOf(random, { witnesses: true });
    if (pair === null) continue;
    figures.pairs++;
    const { findings } = pair.report;
    if (findings.length === 0) {
      figures.accepted++;
      figures.renders += contexts;
      const fault = unsound(random, pair, contexts);
      if (fault !== null) onUnsound(seed, pair, fault);
      continue;
    }
    figures.refused++;
    if (findings.some(({ witness }) => witness !== null && witness !== undefined)) figures.witnessed++;
    else if (findings.every(isPolicy)) figures.policies++;
    else {
      onUnwitnessed?.(seed, pair);
      const codes = [...new Set(findings.map(({ code }) => code))].toSorted().join("+");
      figures.without.set(codes, (figures.without.get(codes) ?? 0) + 1);
    }
  }
  return figures;
}
