import { DEFAULT_LABEL, ok, type Kind, type Result, type Syntax } from "@incipit/schema";
import type Database from "better-sqlite3";
import type { Affected, ContractUser, Included, Source, View } from "../domain/facts.ts";
import type { Parse, Parsed } from "../domain/language.ts";

type IncludedRow = {
  key: string;
  version: number;
  kind: Kind;
  syntax: Syntax;
  contract: string | null;
  outline: string | null;
  /** Only where there is no outline, or a contract to check the body against. */
  body: string | null;
};

/** A point of view, without what it gives. */
type Standpoint = Omit<View, "partials">;

const INCLUDED_COLUMNS =
  "v.key, v.version, v.kind, v.syntax, v.contract, v.outline, " +
  "CASE WHEN v.outline IS NULL OR v.contract IS NOT NULL THEN v.body END AS body";

/** Prepares looking at templates from points of view. `parse` finds what a template includes. */
export function prepareViews(db: Database.Instance, parse: Parse) {
  const selectLabels = db.prepare<[], string>("SELECT DISTINCT label FROM pointers ORDER BY label").pluck();
  const selectPointer = db
    .prepare<[string, string], number>("SELECT version FROM pointers WHERE key = ? AND label = ?")
    .pluck();
  const selectKey = db.prepare<[string], { newest: number | null; seed_since: number | null }>(
    "SELECT newest, seed_since FROM keys WHERE key = ?",
  );
  const selectIncluded = db.prepare<[string, number], IncludedRow>(
    `SELECT ${INCLUDED_COLUMNS} FROM versions v WHERE v.key = ? AND v.version = ?`,
  );
  // First every template that reaches the key as includes resolve under the label, then those that answer under it: what
  // the label points at and, for production, seeds.
  const selectUsers = db.prepare<[{ key: string; label: string; production: string }], IncludedRow>(`
    WITH RECURSIVE reaching (key) AS (
      SELECT @key
      UNION
      SELECT i.key FROM reaching r JOIN includes i ON i.partial = r.key
      WHERE i.version = coalesce(
        (SELECT version FROM pointers p WHERE p.key = i.key AND p.label = @label),
        (SELECT version FROM pointers p WHERE p.key = i.key AND p.label = @production),
        (SELECT 0 FROM keys k WHERE k.key = i.key AND k.seed_since IS NOT NULL)
      )
    )
    SELECT ${INCLUDED_COLUMNS} FROM reaching r JOIN versions v ON v.key = r.key AND v.version = coalesce(
      (SELECT version FROM pointers p WHERE p.key = r.key AND p.label = @label),
      (SELECT 0 FROM keys k WHERE k.key = r.key AND k.seed_since IS NOT NULL AND @label = @production)
    )
    WHERE r.key <> @key ORDER BY r.key
  `);

  const selectSource = db.prepare<[string, number], Source>(
    "SELECT body, syntax FROM versions WHERE key = ? AND version = ?",
  );
  const selectContractUsers = db.prepare<
    [{ contract: string; label: string; production: string }],
    IncludedRow
  >(`
    SELECT ${INCLUDED_COLUMNS} FROM versions v
    WHERE v.contract = @contract AND v.version = coalesce(
      (SELECT version FROM pointers p WHERE p.key = v.key AND p.label = @label),
      (SELECT 0 FROM keys k WHERE k.key = v.key AND k.seed_since IS NOT NULL AND @label = @production)
    )
    ORDER BY v.key
  `);

  function includedOf({ key, version, kind, syntax, contract, outline, body }: IncludedRow): Included {
    // The outline was written from a `Parsed` when the version was applied.
    const parsed: Result<Parsed> =
      outline === null ? parse(body ?? "", syntax) : ok(JSON.parse(outline) as Parsed);
    return { key, version, kind, parsed, contract, source: body === null ? null : { body, syntax } };
  }

  /** Adds the bodies that a check against a contract needs, where they were not loaded. */
  function withSources(partials: Map<string, Included | null>): Map<string, Included | null> {
    for (const [key, included] of partials) {
      if (included === null || included.source !== null) continue;
      const source = selectSource.get(key, included.version);
      partials.set(key, { ...included, source: source ?? null });
    }
    return partials;
  }

  function versionAt(key: string, version: number | null): Included | null {
    const row = version === null ? undefined : selectIncluded.get(key, version);
    return row === undefined ? null : includedOf(row);
  }

  /** The version of a partial that a point of view resolves to. */
  function resolve(key: string, { scope, label }: Standpoint): number | null {
    const active = selectPointer.get(key, label) ?? selectPointer.get(key, DEFAULT_LABEL);
    if (active !== undefined) return active;
    const known = selectKey.get(key);
    if (known === undefined) return null;
    if (known.seed_since !== null) return 0;
    return scope === "stored" ? known.newest : null;
  }

  /** Every partial that templates reach, resolved from one point of view. What does not parse reaches nothing. */
  function partialsOf(
    roots: readonly Result<Parsed>[],
    standpoint: Standpoint,
  ): Map<string, Included | null> {
    const partials = new Map<string, Included | null>();
    const pending = [...roots];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const { key } of at.ok ? at.value.includes : []) {
        if (partials.has(key)) continue;
        const included = versionAt(key, resolve(key, standpoint));
        partials.set(key, included);
        if (included?.kind === "partial") pending.push(included.parsed);
      }
    }
    return partials;
  }

  function affectedUnder(key: string, label: string, next: Included | null): Affected | null {
    const users = selectUsers.all({ key, label, production: DEFAULT_LABEL }).map(includedOf);
    if (users.length === 0) return null;
    const standpoint: Standpoint = { scope: "served", label };
    const now = versionAt(key, resolve(key, standpoint));
    const roots = [...users, now, next].flatMap((one) => (one === null ? [] : [one.parsed]));
    const met = partialsOf(roots, standpoint);
    const complete = users.some(({ contract }) => contract !== null) ? withSources : (as: typeof met) => as;
    return {
      users,
      before: { ...standpoint, partials: complete(new Map(met).set(key, now)) },
      after: { ...standpoint, partials: complete(met.set(key, next)) },
    };
  }

  return {
    versionAt,
    /** What a template meets from a point of view; nothing where it includes nothing. `contract`: its own, if it has one. */
    viewsOf(parsed: Result<Parsed>, contract: string | null, standpoints: readonly Standpoint[]): View[] {
      if (!parsed.ok || parsed.value.includes.length === 0) return [];
      return standpoints.map((standpoint) => {
        const partials = partialsOf([parsed], standpoint);
        return { ...standpoint, partials: contract === null ? partials : withSources(partials) };
      });
    },
    /** The templates that answer under any label and are written against a contract, each with what it meets there. */
    contractUsers(contract: string): ContractUser[] {
      return [...new Set([DEFAULT_LABEL, ...selectLabels.all()])].flatMap((label) => {
        const standpoint: Standpoint = { scope: "served", label };
        return selectContractUsers.all({ contract, label, production: DEFAULT_LABEL }).map((row) => {
          const user = includedOf(row);
          const { source } = user;
          if (source === null)
            throw new Error(`the body of ${user.key}, which has a contract, was not loaded`);
          return {
            user: { ...user, source },
            view: { ...standpoint, partials: withSources(partialsOf([user.parsed], standpoint)) },
          };
        });
      });
    },
    /**
     * The active templates that would meet another version of a key (`next`; null: none) once its label has moved: those under
     * the label and, for `production`, those under every label that has nothing of the key itself.
     */
    affectedBy(key: string, label: string, next: Included | null): Affected[] {
      const following =
        label === DEFAULT_LABEL
          ? selectLabels
              .all()
              .filter((other) => other !== label && selectPointer.get(key, other) === undefined)
          : [];
      return [label, ...following].flatMap((under) => affectedUnder(key, under, next) ?? []);
    },
  };
}
