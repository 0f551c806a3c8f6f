import type { LinkedTemplate, ParsedTemplate } from "@incipit/templates";
import type { JsonObject, Kind, Result, Syntax } from "@incipit/schema";
import { LRUCache } from "lru-cache";
import { versionId, type VersionRef } from "./render/version.ts";

/** A version as it is kept in memory: parsed, its text no longer needed. */
export type Body = {
  ref: VersionRef;
  kind: Kind;
  syntax: Syntax;
  /** The contract it is written against, by name. */
  contract: string | null;
  /** sha-256 of the body as written, hex. */
  hash: string;
  /** The parsed body, or why this release cannot read it. */
  parsed: Result<ParsedTemplate>;
};

/** What a linked template's context must be: the version of its contract, and what judges contexts by it. */
export type ContextCheck = {
  contract: { name: string; version: number };
  validate: (context: JsonObject) => Result<JsonObject>;
  /** The paths of fields that the contract does not list, so many of them. */
  findUnlisted: (context: JsonObject, most: number) => string[];
  /** About how many bytes it takes. */
  size: number;
};

/** A template joined with everything it includes and, where it has one, with its contract. */
type Linked = {
  id: string;
  /** The versions it is made of, by `versionId`. */
  members: readonly string[];
  template: LinkedTemplate;
  check: ContextCheck | null;
  /** See `linkedHash`. */
  hash: string;
  /** About how many bytes it takes beside its members: see `linkedSize`. */
  size: number;
};

/** How full the cache is, in bytes, as estimated. */
export type CacheStats = { entries: number; bytes: number; maxBytes: number };

/** Parsed and linked templates, bounded in bytes, least recently used out. */
export type TemplateCache = {
  body: (ref: VersionRef) => Body | undefined;
  putBody: (body: Body) => void;
  linked: (id: string) => Linked | undefined;
  /** Keeps a linked template, at most as long as all its members are kept. */
  putLinked: (linked: Linked) => void;
  /** Forgets everything. */
  clear: () => void;
  stats: () => CacheStats;
};

/** What an entry costs beside what it holds. */
const ENTRY_BYTES = 600;
/** What a linked template holds of each member: its place, its names, the way back. 150 of it are the link's own. */
const MEMBER_BYTES = 400;
/** What each include of a member costs in a linked template: a reference. */
const INCLUDE_BYTES = 8;

type Entry = { body: Body } | { linked: Linked };

/** An empty cache of at most `maxBytes`; what is larger than that alone is not kept. */
export function createTemplateCache(maxBytes: number): TemplateCache {
  /** The linked templates that hold a version, so that none outlives what it is made of and goes uncounted. */
  const users = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    // After, not during: the cache must not be changed while it disposes of an entry.
    disposeAfter(entry, _key, reason) {
      if (reason === "set") return;
      if ("body" in entry) dropUsers(versionId(entry.body.ref));
      else forgetUser(entry.linked);
    },
  });

  function dropUsers(version: string) {
    const ids = users.get(version);
    users.delete(version);
    for (const id of ids ?? []) entries.delete(linkedKey(id));
  }
  function forgetUser({ id, members }: Linked) {
    for (const member of members) {
      const ids = users.get(member);
      ids?.delete(id);
      if (ids?.size === 0) users.delete(member);
    }
  }

  return {
    body(ref) {
      const entry = entries.get(bodyKey(versionId(ref)));
      return entry !== undefined && "body" in entry ? entry.body : undefined;
    },
    putBody(body) {
      entries.set(bodyKey(versionId(body.ref)), { body }, { size: ENTRY_BYTES + sizeOf(body) });
    },
    linked(id) {
      const entry = entries.get(linkedKey(id));
      return entry !== undefined && "linked" in entry ? entry.linked : undefined;
    },
    putLinked(linked) {
      const { id, members } = linked;
      entries.set(linkedKey(id), { linked }, { size: ENTRY_BYTES + linked.size });
      if (!entries.has(linkedKey(id))) return;
      for (const member of members) users.set(member, (users.get(member) ?? new Set()).add(id));
      // Room for it may have been made at the cost of one of its own members.
      if (!members.every((member) => entries.has(bodyKey(member)))) entries.delete(linkedKey(id));
    },
    clear: () => entries.clear(),
    stats: () => ({ entries: entries.size, bytes: entries.calculatedSize, maxBytes }),
  };
}

/** About how many bytes a template linked from these takes. What they are compiled to is theirs, however many include it. */
export function linkedSize(members: readonly Body[]): number {
  return members.reduce(
    (sum, { parsed }) => sum + MEMBER_BYTES + (parsed.ok ? parsed.value.includes.length * INCLUDE_BYTES : 0),
    0,
  );
}

/** About how many bytes a parsed body takes, what it is compiled to included. */
function sizeOf({ parsed }: Body): number {
  return parsed.ok ? parsed.value.size : 0;
}

const bodyKey = (id: string) => `body ${id}`;
const linkedKey = (id: string) => `linked ${id}`;
