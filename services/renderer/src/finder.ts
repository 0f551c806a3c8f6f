import type { LinkedTemplate } from "@incipit/templates";
import { ok, refuse, refuseUnreadable, type Contract, type Result } from "@incipit/schema";
import type { Bodies } from "./bodies.ts";
import { createContextCheck } from "./context-check.ts";
import { linkBodies } from "./link.ts";
import { contractKey } from "./pointers.ts";
import { absence } from "./render/absence.ts";
import type { ContractView, Pointer, PointerView } from "./render/pointer-view.ts";
import type { Wanted } from "./render/request.ts";
import { resolveRender, type BodyFacts, type Resolution } from "./render/resolve.ts";
import { linkedId, versionId, type VersionRef } from "./render/version.ts";
import { within } from "./within.ts";
import { linkedSize, type Body, type ContextCheck, type TemplateCache } from "./template-cache.ts";

/** A template that answers a request, joined with all it includes, as one state of the pointers has it. */
export type Found = {
  root: VersionRef;
  label: string | null;
  /** What made the root's version live; null where it was asked for by number. */
  pointer: Pointer | null;
  partials: readonly VersionRef[];
  /** Every key whose pointers had a say. */
  keys: ReadonlySet<string>;
  template: LinkedTemplate;
  /** Judges the context; null where the template has no contract. */
  check: ContextCheck | null;
  /** See `linkedHash`. */
  hash: string;
  /** Position of the last message of `now` that this reflects. */
  seq: number;
  /** Whether nothing had to be fetched. */
  fromMemory: boolean;
};

/** A state of the pointers and its position in the log. */
export type Snapshot = PointerView & ContractView & { seq: () => number };

/** Finds and links templates. */
export type Finder = {
  /**
   * Throws `LogUnreachableError` where bodies are not in memory and the log does not give them, one after the other, within
   * five seconds.
   */
  find: (wanted: Wanted, pointers: Snapshot) => Promise<Result<Found>>;
};

/** What finding takes. */
export type FinderOptions = {
  bodies: Bodies;
  cache: TemplateCache;
  sha256: (text: string) => string;
  /** Aborts when nobody waits for templates any more. */
  signal: AbortSignal;
  /** How long loading may take, in ms: each level of includes is a round, and so is each change meanwhile. */
  loadingMs?: number;
};

const LOADING_MS = 5_000;

/**
 * Builds the finder. Each round of `find` resolves and links without giving way to anything else, so that it sees one
 * state of the pointers. Where bodies are missing they are loaded and the next round starts from nothing but those. What
 * a request has loaded it holds on to, so that it comes to an end in the smallest cache.
 */
export function createFinder(options: FinderOptions): Finder {
  const { bodies, cache, sha256, signal, loadingMs = LOADING_MS } = options;

  async function find(wanted: Wanted, pointers: Snapshot): Promise<Result<Found>> {
    const held = new Map<string, Body | "absent">();
    const bodyOf = (ref: VersionRef) => held.get(versionId(ref)) ?? cache.body(ref);
    const since = performance.now();
    for (;;) {
      const resolution = resolveRender(wanted, pointers, (ref) => factsOf(bodyOf(ref)));
      if (resolution.status === "resolved") {
        const linked = link(resolution, bodyOf, pointers);
        if (!linked.ok) return linked;
        const { root, label, pointer, partials } = resolution;
        const { check } = linked.value;
        const keys =
          check === null ? resolution.keys : new Set([...resolution.keys, contractKey(check.contract.name)]);
        const seq = pointers.seq();
        return ok({
          root,
          label,
          pointer,
          partials,
          keys,
          ...linked.value,
          seq,
          fromMemory: held.size === 0,
        });
      }
      if (resolution.status === "refused") return { ok: false, problem: resolution.problem };
      if (resolution.status === "unknown") {
        const { absent } = resolution;
        return { ok: false, problem: absence(absent, await bodies.hasVersions(absent.key)) };
      }
      const { refs } = resolution;
      const rest = since + loadingMs - performance.now();
      const loaded = await within(rest, signal, () => Promise.all(refs.map(bodies.load)));
      refs.forEach((ref, at) => held.set(versionId(ref), loaded[at] ?? "absent"));
    }
  }

  function link(
    { root, partials }: Resolution & { status: "resolved" },
    bodyOf: (ref: VersionRef) => Body | "absent" | undefined,
    contracts: ContractView,
  ): Result<{ template: LinkedTemplate; hash: string; check: ContextCheck | null }> {
    const rootBody = bodyOf(root);
    if (typeof rootBody !== "object") throw new Error(`${versionId(root)} is linked without its body`);
    const live = contractOf(rootBody, contracts);
    if (!live.ok) return live;
    const id = linkedId(root, partials, live.value);
    const kept = cache.linked(id);
    if (kept !== undefined) return ok({ template: kept.template, hash: kept.hash, check: kept.check });
    const refs = [root, ...partials];
    const [own, ...included] = refs.map(bodyOf).filter((body) => typeof body === "object");
    if (own === undefined) throw new Error(`${versionId(root)} is linked without its body`);
    const linked = linkBodies(own, included, sha256);
    if (!linked.ok)
      return { ok: false, problem: { key: root.key, version: root.version, ...linked.problem } };
    const { template, hash } = linked.value;
    const check =
      live.value === null ? null : createContextCheck(template, live.value.contract, live.value.version);
    cache.putLinked({
      id,
      members: refs.map(versionId),
      template,
      hash,
      check,
      size: linkedSize([own, ...included]) + (check?.size ?? 0),
    });
    return ok({ template, hash, check });
  }

  return { find };
}

/** The newest version of a template's contract; null where it has none. */
function contractOf(
  { ref, contract: name }: Body,
  contracts: ContractView,
): Result<{ name: string; version: number; contract: Contract } | null> {
  if (name === null) return ok(null);
  const { key, version } = ref;
  const live = contracts.contract(name);
  if (live === undefined)
    return refuse(
      "contract_not_found",
      `There is no contract ${name}, which ${key}@${version} is written against.`,
      {
        key,
        version,
      },
    );
  if (live.contract.ok) return ok({ name, version: live.version, contract: live.contract.value });
  return refuseUnreadable(name, live.version, { key, version });
}

function factsOf(body: Body | "absent" | undefined): BodyFacts | "absent" | undefined {
  if (typeof body !== "object") return body;
  const { kind, parsed } = body;
  return parsed.ok
    ? { kind, partials: parsed.value.partials, fault: null }
    : { kind, partials: [], fault: parsed.problem };
}
