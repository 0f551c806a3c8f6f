import { type Finding, LIMITS, ok, refuse, type Result } from "@incipit/schema";
import type { Include, ParsedTemplate } from "./ast.ts";
import { compileTemplate } from "./compile-body.ts";
import { compareKeys, finding, refuseFindings } from "./finding.ts";
import type { Unit } from "./run-state.ts";

/** A template that a key resolves to. */
export type ResolvedPartial = {
  readonly key: string;
  readonly version: number;
  readonly parsed: ParsedTemplate;
};

/** Why a key cannot be included: becomes a finding at the include. */
export type RefusedPartial = { readonly refused: { readonly code: string; readonly message: string } };

/**
 * Finds the template a partial's key stands for, under whatever label or pins the caller follows. Undefined: there is
 * none.
 */
export type ResolvePartial = (key: string) => ResolvedPartial | RefusedPartial | undefined;

/** A template with all it includes, ready to run. Immutable. */
export type LinkedTemplate = {
  readonly key: string;
  readonly root: Unit;
  /** Everything included, directly and through others, by key. */
  readonly partials: readonly { readonly key: string; readonly version: number }[];
  readonly hasCacheBreakpoint: boolean;
};

type LinkedUnit = Unit & { readonly breakpoints: number; readonly height: number };

type Link = {
  readonly root: string;
  readonly resolve: ResolvePartial;
  readonly done: Map<string, LinkedUnit>;
  readonly partials: Map<string, number>;
  readonly findings: Finding[];
  /** Keys from the root to the template in work. */
  readonly path: string[];
  tooDeep: readonly string[] | null;
};

/**
 * Links a template to its partials and compiles them. Refuses with findings (`check_failed`) a partial that does not
 * exist, a cycle (with its path), and a cache breakpoint that would come twice or in a loop; and with
 * `limit_exceeded` includes that go deeper than the limit.
 */
export function linkTemplate(
  key: string,
  parsed: ParsedTemplate,
  resolve: ResolvePartial,
): Result<LinkedTemplate> {
  const link: Link = {
    root: key,
    resolve,
    done: new Map(),
    partials: new Map(),
    findings: [],
    path: [],
    tooDeep: null,
  };
  const root = linkUnit(link, key, parsed);
  if (link.tooDeep !== null || root.height > LIMITS.includeDepth) {
    const path = link.tooDeep === null ? "" : `: ${link.tooDeep.join(" → ")}`;
    const message = `Partials include each other more than ${LIMITS.includeDepth} deep (limit "includeDepth")${path}.`;
    return refuse("limit_exceeded", message, { key });
  }
  if (link.findings.length > 0) return refuseFindings(link.findings, key);
  const partials = [...link.partials]
    .map(([name, version]) => ({ key: name, version }))
    .toSorted((a, b) => compareKeys(a.key, b.key));
  return ok({ key, root, partials, hasCacheBreakpoint: root.breakpoints > 0 });
}

function linkUnit(link: Link, key: string, parsed: ParsedTemplate): LinkedUnit {
  link.path.push(key);
  const targets: LinkedUnit[] = [];
  let breakpoints = parsed.hasCacheBreakpoint ? 1 : 0;
  let height = 0;
  for (const include of parsed.includes) {
    const target = link.tooDeep === null ? linkInclude(link, key, include) : undefined;
    if (target === undefined) continue;
    targets.push(target);
    height = Math.max(height, target.height + 1);
    if (target.breakpoints > 0 && (include.inLoop || breakpoints > 0)) reportBreakpoint(link, key, include);
    breakpoints += target.breakpoints;
  }
  link.path.pop();
  const unit: LinkedUnit = { key, parsed, run: compileTemplate(parsed), targets, breakpoints, height };
  return unit;
}

function linkInclude(link: Link, from: string, include: Include): LinkedUnit | undefined {
  const { key } = include;
  const done = link.done.get(key);
  if (done !== undefined) return done;
  const cycleStart = link.path.indexOf(key);
  if (cycleStart >= 0) {
    const cycle = [...link.path.slice(cycleStart), key].join(" → ");
    report(
      link,
      from,
      finding(
        "partial_cycle",
        include.position,
        `Partials include each other in a circle: ${cycle}.`,
        "Remove one of these includes.",
      ),
    );
    return undefined;
  }
  const found = link.resolve(key);
  if (found === undefined) {
    report(
      link,
      from,
      finding(
        "unknown_partial",
        include.keyPosition,
        `There is no partial "${key}".`,
        "Add and activate it first, or correct the key.",
      ),
    );
    return undefined;
  }
  if ("refused" in found) {
    report(link, from, { ...found.refused, ...include.keyPosition });
    return undefined;
  }
  if (link.path.length > LIMITS.includeDepth) {
    link.tooDeep = [...link.path.slice(0, 3), "…", key];
    return undefined;
  }
  const unit = linkUnit(link, key, found.parsed);
  link.done.set(key, unit);
  link.partials.set(key, found.version);
  return unit;
}

function report(link: Link, from: string, found: Finding): void {
  link.findings.push(from === link.root ? found : { ...found, partial: from });
}

function reportBreakpoint(link: Link, from: string, include: Include): void {
  const why = include.inLoop ? "and stands in a loop here" : "and there is one before it already";
  const message = `The partial "${include.key}" holds a cache breakpoint, ${why}.`;
  report(
    link,
    from,
    finding("breakpoint_misplaced", include.position, message, "Keep one, outside of loops."),
  );
}
