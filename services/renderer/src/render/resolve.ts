import { DEFAULT_LABEL, problem, type Kind, type Problem } from "@incipit/schema";
import { absence, type Absent } from "./absence.ts";
import type { Pointer, PointerView } from "./pointer-view.ts";
import type { Wanted } from "./request.ts";
import type { VersionRef } from "./version.ts";

/** What resolving needs to know of a body. */
export type BodyFacts = {
  kind: Kind;
  /** Keys of what it includes. */
  partials: readonly string[];
  /** Why this release cannot use it, or null. */
  fault: Problem | null;
};

/** Looks a body up in memory. `absent`: the log holds no such version. Undefined: not in memory, to be loaded. */
export type BodyLookup = (ref: VersionRef) => BodyFacts | "absent" | undefined;

/** Which versions answer a request. */
export type Resolution =
  | {
      status: "resolved";
      root: VersionRef;
      /** The label that led to the root's version; null where a pin or a number did. */
      label: string | null;
      /** The pointer that led to it, or null likewise. */
      pointer: Pointer | null;
      /** Everything included, directly or through others, in order of their keys. */
      partials: VersionRef[];
      /** Every key whose pointers had a say: when one moves, this may resolve to something else. */
      keys: ReadonlySet<string>;
    }
  /** Bodies to load before resolving again. */
  | { status: "missing"; refs: VersionRef[] }
  /** No event of `now` ever named this key: whether it exists only the log can say. */
  | { status: "unknown"; absent: Absent }
  | { status: "refused"; problem: Problem };

/**
 * Resolves a request against one set of pointers. The key itself, else the first of the fallbacks that exists; that one
 * is final. Its version: a pin, the number asked for, the label's pointer, else the seed (under `production`). What is
 * included: a pin, the same label, else `production`, else the seed. One key has one version within one render.
 */
export function resolveRender(wanted: Wanted, pointers: PointerView, bodyOf: BodyLookup): Resolution {
  const candidates = [wanted.key, ...wanted.fallbackKeys];
  const found = candidates.findIndex((key) => exists(key, wanted, pointers));
  const key = candidates[found] ?? wanted.key;
  const keys = new Set(found < 0 ? candidates : candidates.slice(0, found + 1));

  const choice = chooseVersion(key, wanted, pointers, true);
  if (choice.ref === null) return absent(key, choice.version, null, wanted, pointers);
  const root = choice.ref;
  const chosen = new Map<string, VersionRef>([[key, root]]);
  const missing: VersionRef[] = [];
  const queue: { ref: VersionRef; includedBy: VersionRef | null }[] = [{ ref: root, includedBy: null }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { ref, includedBy } = next;
    const body = bodyOf(ref);
    if (body === undefined) {
      missing.push(ref);
      continue;
    }
    if (body === "absent") return absent(ref.key, ref.version, includedBy, wanted, pointers);
    const refusal = unusable(body, ref, includedBy);
    if (refusal !== null) return { status: "refused", problem: refusal };
    for (const partial of body.partials) {
      if (chosen.has(partial)) continue;
      keys.add(partial);
      const included = chooseVersion(partial, wanted, pointers, false);
      if (included.ref === null) return absent(partial, included.version, ref, wanted, pointers);
      chosen.set(partial, included.ref);
      queue.push({ ref: included.ref, includedBy: ref });
    }
  }
  if (missing.length > 0) return { status: "missing", refs: missing };
  chosen.delete(key);
  const partials = [...chosen.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return {
    status: "resolved",
    root,
    label: choice.pointer === null ? null : wanted.label,
    pointer: choice.pointer,
    partials,
    keys,
  };
}

/**
 * Whether a key exists for a request: pinned, or with an active version under the label or `production`, or with a seed.
 * Other labels do not count, so that trying something out under one never takes a key from another's callers.
 */
function exists(key: string, { label, pins }: Wanted, pointers: PointerView): boolean {
  if (pins.has(key)) return true;
  const known = pointers.of(key);
  if (known === undefined) return false;
  return (
    known.seed !== null ||
    isLive(known.active.get(label)) ||
    (label !== DEFAULT_LABEL && isLive(known.active.get(DEFAULT_LABEL)))
  );
}

function isLive(pointer: Pointer | undefined): pointer is Pointer & { version: number } {
  return pointer !== undefined && pointer.version !== null;
}

type Choice =
  | { ref: VersionRef; pointer: Pointer | null }
  /** Nothing to use; `version` is the one that was asked for by number. */
  | { ref: null; version: number | null };

function chooseVersion(key: string, wanted: Wanted, pointers: PointerView, isRoot: boolean): Choice {
  const known = pointers.of(key);
  const seed = known?.seed ?? null;
  const number = wanted.pins.get(key) ?? (isRoot ? wanted.version : null);
  if (number === 0)
    return seed === null
      ? { ref: null, version: 0 }
      : { ref: { key, version: 0, seq: seed.seq }, pointer: null };
  if (number !== null) return { ref: { key, version: number, seq: null }, pointer: null };
  const labels = isRoot || wanted.label === DEFAULT_LABEL ? [wanted.label] : [wanted.label, DEFAULT_LABEL];
  for (const label of labels) {
    const pointer = known?.active.get(label);
    if (isLive(pointer)) return { ref: { key, version: pointer.version, seq: null }, pointer };
  }
  if (seed !== null && labels.includes(DEFAULT_LABEL))
    return { ref: { key, version: 0, seq: seed.seq }, pointer: seed };
  return { ref: null, version: null };
}

function absent(
  key: string,
  version: number | null,
  includedBy: VersionRef | null,
  wanted: Wanted,
  pointers: PointerView,
): Resolution {
  const what: Absent = { key, version, label: wanted.label, includedBy };
  return pointers.of(key) === undefined
    ? { status: "unknown", absent: what }
    : { status: "refused", problem: absence(what, true) };
}

function unusable(body: BodyFacts, ref: VersionRef, includedBy: VersionRef | null): Problem | null {
  const { key, version } = ref;
  if (body.kind === "partial" && includedBy === null)
    return problem(
      "not_renderable",
      `${key} is a partial: render a template that includes it, or store it as a prompt.`,
      { key, version },
    );
  if (body.kind === "assembly")
    return problem("not_renderable", `${key}@${version} is an assembly, which this release cannot render.`, {
      key,
      version,
    });
  if (body.fault === null) return null;
  return includedBy === null
    ? { ...body.fault, key, version }
    : { ...body.fault, key: includedBy.key, version: includedBy.version, partial: key };
}

/** Names a request's choice of versions where nothing is pinned: equal names resolve equally on equal pointers. */
export function wantedId(wanted: Wanted): string {
  return [wanted.key, wanted.label, wanted.version ?? "", ...wanted.fallbackKeys].join("|");
}
