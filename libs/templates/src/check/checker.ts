import type { Contract, Finding, Position } from "@incipit/schema";
import { finding, type FindingCode, MOST_FINDINGS } from "../finding.ts";
import type { Unit } from "../run-state.ts";
import { type Access, accessRoot } from "./access.ts";
import { createWorld, learn, type Test, refine, typeIn, type World } from "./facts.ts";
import { createReadsTree, type ReadsTree } from "./reads-tree.ts";
import { type Type, unite } from "./types.ts";

/**
 * Where the walk stands: every way things may be there. `reachable` false: no context leads there, nothing is known, and
 * only what is wrong whatever the context is told.
 */
export type Env = { readonly worlds: readonly World[]; readonly reachable: boolean };

/** Nothing known yet. */
export const startEnv = (): Env => ({ worlds: [createWorld()], reachable: true });

/** Ways that are told apart after `or`; beyond it what only some of them know is forgotten. */
const MOST_WORLDS = 8;

/** Looks at atoms, facts and steps in one check, 20 to 100 ns each: one or two seconds, far more than the largest body needs. */
const MOST_WORK = 20_000_000;

/** Blocks within blocks, those of partials within those around their includes: half of what the stack holds. */
const MOST_DEPTH = 800;

/** What makes a finding true: a value at a place, in the worlds in which the walk stood. For the search of a witness. */
export type Goal = {
  readonly worlds: readonly World[];
  readonly access: Access | null;
  readonly bad: Test | null;
  /** Where a render fails then, if not where the finding stands. */
  readonly failsAt?: Position;
};

/** A finding with what makes it true; null: nothing does, it stands where no context leads. */
export type Found = { readonly finding: Finding; readonly goal: Goal | null };

/** One check, while it walks. */
export type Checker = {
  readonly contract: Contract;
  /** What each root may be; 0 is the context. */
  readonly roots: Type[];
  readonly reads: ReadsTree;
  /** By code and place, so that a partial's fault is told once. */
  readonly found: Map<string, Found>;
  readonly warnings: Map<string, Finding>;
  /** The templates from the root to the one in work. */
  readonly units: Unit[];
  /** The short keys of overlays, by what they are made of. */
  readonly overlays: Map<string, string>;
  /** Overlays of which all is read. */
  readonly wholes: Set<string>;
  /** Partials that were walked, with what they were walked with. */
  readonly walked: Map<Unit, { env: Env; given: string }[]>;
  work: number;
  /** Blocks and partials around the one in work. */
  depth: number;
  loops: number;
  tooMuch: boolean;
};

/** A check about to begin. */
export function createChecker(contract: Contract, root: Unit, type: Type): Checker {
  return {
    contract,
    roots: [type],
    reads: createReadsTree(),
    found: new Map(),
    warnings: new Map(),
    units: [root],
    overlays: new Map(),
    wholes: new Set(),
    walked: new Map(),
    work: 0,
    depth: 0,
    loops: 0,
    tooMuch: false,
  };
}

/** A root for a value that is no part of the context. */
export function addRoot(checker: Checker, type: Type): Access {
  checker.roots.push(type);
  return accessRoot(checker.roots.length - 1);
}

/** Counts work, and says whether the check should give up. */
export function isTooMuch(checker: Checker, work: number): boolean {
  checker.work += work;
  if (checker.work > MOST_WORK || checker.depth > MOST_DEPTH) checker.tooMuch = true;
  return checker.tooMuch || checker.found.size >= MOST_FINDINGS;
}

/** What a value may be where the walk stands. */
export function typeAt(checker: Checker, env: Env, access: Access): Type {
  // A key may be as long as a body, and is compared whole.
  checker.work += env.worlds.length * (1 + (access.key.length >> 6));
  return unite(env.worlds.map((world) => typeIn(world, access, checker.roots, checker)));
}

/** Where the walk stands once a test has come out so. */
export function assumeTest(checker: Checker, env: Env, access: Access, test: Test): Env {
  if (!env.reachable) return env;
  const worlds: World[] = [];
  for (const { facts } of env.worlds) {
    const learnt = learn(facts.get(access.root), access.steps, test, checker);
    checker.work += facts.size;
    if (refine(checker.roots[access.root] ?? [], learnt, checker).length > 0)
      worlds.push(createWorld(new Map(facts).set(access.root, learnt)));
  }
  return worlds.length === 0 ? unreachable() : { worlds, reachable: true };
}

/** Where the walk stands if it came one of several ways from `before`. */
export function uniteEnvs(before: Env, envs: readonly Env[]): Env {
  const reachable = envs.filter((env) => env.reachable);
  if (reachable.length === 0) return unreachable();
  const worlds = [...new Set(reachable.flatMap((env) => env.worlds))];
  return worlds.length > MOST_WORLDS ? before : { worlds, reachable: true };
}

/** Where no context leads. */
export const unreachable = (): Env => ({ worlds: [createWorld()], reachable: false });

/** Why a finding has no witness, where it cannot have one. */
const NO_WAY = "There is no context that leads here; a name must be right all the same.";

/** Notes why the template is refused. */
export function report(
  checker: Checker,
  code: FindingCode,
  position: Position,
  message: string,
  hint: string | undefined,
  goal: Goal | null,
): void {
  const unit = checker.units.at(-1);
  const inside = checker.units.length > 1 && unit !== undefined ? { partial: unit.key } : {};
  const id = `${code} ${unit?.key} ${position.line}:${position.column}:${position.endLine}:${position.endColumn}`;
  const before = checker.found.get(id);
  // A fault with a context that shows it is worth more than the same where no context leads.
  if (before !== undefined && (before.goal !== null || goal === null)) return;
  const text = goal === null && code === "unknown_field" ? `${message} ${NO_WAY}` : message;
  checker.found.set(id, { finding: { ...finding(code, position, text, hint), ...inside }, goal });
}

/** Notes what is odd and harms nothing. Of partials it is not told: another caller may need what this one does not. */
export function warn(checker: Checker, code: FindingCode, position: Position, message: string): void {
  if (checker.units.length > 1) return;
  checker.warnings.set(`${code} ${position.line}:${position.column}`, finding(code, position, message));
}
