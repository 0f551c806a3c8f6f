import {
  DEFAULT_LABEL,
  ok,
  type DependentItem,
  type DependentsReply,
  type DependentVersion,
  type dependentsPayloadSchema,
  type Result,
} from "@incipit/schema";
import type Database from "better-sqlite3";
import { prepareKeyFacts } from "./key-facts.ts";

type Payload = ReturnType<typeof dependentsPayloadSchema.parse>;
type User = { key: string; version: number };
type Asked = { partial: string; label: string; production: string };

/**
 * `dependents`: who includes a key, directly and through others. Without a label all that a label points at counts, and
 * every seed and newest version; with one, what an include resolves to under it.
 */
export function prepareDependents(db: Database.Instance) {
  const { refuseUnknown, labelsOf } = prepareKeyFacts(db);
  const selectCurrent = db.prepare<[Asked], User>(`
    SELECT i.key, i.version FROM includes i JOIN keys k ON k.key = i.key
    WHERE i.partial = @partial AND (
      i.version = k.newest OR i.version = 0
      OR EXISTS (SELECT 1 FROM pointers p WHERE p.key = i.key AND p.version = i.version)
    ) ORDER BY i.key, i.version
  `);
  const selectUnder = db.prepare<[Asked], User>(`
    SELECT i.key, i.version FROM includes i
    WHERE i.partial = @partial AND i.version = coalesce(
      (SELECT version FROM pointers p WHERE p.key = i.key AND p.label = @label),
      (SELECT version FROM pointers p WHERE p.key = i.key AND p.label = @production),
      (SELECT 0 FROM keys k WHERE k.key = i.key AND k.seed_since IS NOT NULL)
    ) ORDER BY i.key
  `);

  /** Every user of a key, with the key that it includes on the shortest way there. */
  function reach(
    key: string,
    label: string | undefined,
  ): Map<string, { via: string; versions: Set<number> }> {
    const statement = label === undefined ? selectCurrent : selectUnder;
    const found = new Map<string, { via: string; versions: Set<number> }>();
    const seen = new Set([key]);
    for (const partial of seen)
      for (const user of statement.all({
        partial,
        label: label ?? DEFAULT_LABEL,
        production: DEFAULT_LABEL,
      })) {
        seen.add(user.key); // what is added to a set while it is walked is walked too
        const known = found.get(user.key) ?? { via: partial, versions: new Set() };
        found.set(user.key, { via: known.via, versions: known.versions.add(user.version) });
      }
    return found;
  }

  function versionsOf(
    key: string,
    versions: ReadonlySet<number>,
    label: string | undefined,
  ): DependentVersion[] {
    const pointers = labelsOf(key);
    const seedAnswers = !pointers.some((pointer) => pointer.label === DEFAULT_LABEL);
    return [...versions]
      .toSorted((a, b) => b - a)
      .map((version) => {
        const labels = pointers
          .filter((pointer) => pointer.version === version)
          .map((pointer) => pointer.label);
        return { version, labels, live: labels.length > 0 || (version === 0 && seedAnswers) };
      })
      .filter(
        ({ labels, version }) =>
          label === undefined || labels.includes(label) || (version === 0 && label === DEFAULT_LABEL),
      );
  }

  return function dependents(key: string, { label, limit, after = "" }: Payload): Result<DependentsReply> {
    const unknown = refuseUnknown(key);
    if (unknown !== null) return unknown;
    const reached = reach(key, label);
    const pathFrom = (from: string) => {
      const path = [from];
      for (let at = from; at !== key; path.push(at)) at = reached.get(at)?.via ?? key;
      return path;
    };
    const all = [...reached]
      .filter(([user]) => user !== key)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([user, { versions }]): DependentItem => ({
        key: user,
        versions: versionsOf(user, versions, label),
        path: pathFrom(user),
      }))
      .filter(({ versions }) => versions.length > 0);
    const left = all.filter((item) => item.key > after);
    const items = left.slice(0, limit);
    return ok({
      key,
      items,
      total: all.length,
      after: left.length > limit ? (items.at(-1)?.key ?? null) : null,
    });
  };
}
