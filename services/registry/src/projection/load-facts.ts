import { DEFAULT_LABEL, foldKey, type Syntax } from "@incipit/schema";
import type Database from "better-sqlite3";
import type { Command } from "../domain/commands.ts";
import type { Facts, Included, PastEvent, Pointer, View } from "../domain/facts.ts";
import type { Parse } from "../domain/language.ts";
import { inheritSettings } from "../domain/settings.ts";
import { fullVersionOf, VERSION_COLUMNS, versionOf, type FullVersionRow, type VersionRow } from "./rows.ts";

/** Loads what one decision needs, all at one log position. */
export type LoadFacts = (command: Command) => Facts;

type PastRow = {
  seq: number;
  at: string;
  command_hash: string;
  type: PastEvent["type"];
  label: string;
  version: number;
  previous: number | null;
};

/** Prepares the loading of facts on a database. `parse` finds what a template includes. */
export function prepareLoadFacts(db: Database.Instance, position: () => number, parse: Parse): LoadFacts {
  const selectVersion = db.prepare<[string, number], VersionRow>(
    `SELECT ${VERSION_COLUMNS} FROM versions v WHERE v.key = ? AND v.version = ?`,
  );
  const selectFull = db.prepare<[string, number], FullVersionRow>(
    `SELECT ${VERSION_COLUMNS}, v.body FROM versions v WHERE v.key = ? AND v.version = ?`,
  );
  const selectKey = db.prepare<[string], { newest: number | null; seed_since: number | null }>(
    "SELECT newest, seed_since FROM keys WHERE key = ?",
  );
  const selectTwin = db
    .prepare<[string, string], string>(
      "SELECT key FROM keys WHERE folded = ? AND key <> ? ORDER BY key LIMIT 1",
    )
    .pluck();
  const selectPointers = db.prepare<[string], { label: string } & Pointer>(`
    SELECT p.label, p.version, p.seq, v.kind FROM pointers p
    JOIN versions v ON v.key = p.key AND v.version = p.version
    WHERE p.key = ? ORDER BY p.label
  `);
  const selectPast = db.prepare<[string], PastRow>(
    "SELECT seq, at, command_hash, type, label, version, previous FROM commands WHERE command_id = ? ORDER BY seq",
  );
  const selectLabels = db.prepare<[], string>("SELECT DISTINCT label FROM pointers ORDER BY label").pluck();
  const selectPointer = db
    .prepare<[string, string], number>("SELECT version FROM pointers WHERE key = ? AND label = ?")
    .pluck();
  const selectIncluded = db.prepare<[string, number], Included>(
    "SELECT key, version, kind, syntax, body FROM versions WHERE key = ? AND version = ?",
  );

  function pastEvent(row: PastRow): PastEvent {
    const { seq, at, type, label, version, previous } = row;
    const common = { seq, at, commandHash: row.command_hash };
    if (type === "TemplateAdded") return { ...common, type, version };
    if (type === "TemplateActivated") return { ...common, type, label, version, previous };
    return { ...common, type, label, previous: previous ?? 0 };
  }

  /** The version of a partial that a view resolves to. */
  function resolve(key: string, { scope, label }: Omit<View, "partials">): number | null {
    const active = selectPointer.get(key, label) ?? selectPointer.get(key, DEFAULT_LABEL);
    if (active !== undefined) return active;
    const known = selectKey.get(key);
    if (known === undefined) return null;
    if (known.seed_since !== null) return 0;
    return scope === "stored" ? known.newest : null;
  }

  /** Every partial that a body reaches, as the view resolves it. What does not parse reaches nothing. */
  function viewFrom(root: { key: string; body: string; syntax: Syntax }, view: Omit<View, "partials">): View {
    const partials = new Map<string, Included | null>();
    const pending = [{ body: root.body, syntax: root.syntax }];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const parsed = parse(at.body, at.syntax);
      for (const { key } of parsed.ok ? parsed.value.includes : []) {
        if (key === root.key || partials.has(key)) continue;
        const version = resolve(key, view);
        const included = version === null ? null : (selectIncluded.get(key, version) ?? null);
        partials.set(key, included);
        if (included !== null && included.kind === "partial") pending.push(included);
      }
    }
    return { ...view, partials };
  }

  /** The points of view from which a command's template is looked at. */
  function viewsOf(
    root: { key: string; body: string; syntax: Syntax },
    pointers: Facts["pointers"],
    options: { stored: boolean; label: string | null },
  ): View[] {
    const parsed = parse(root.body, root.syntax);
    if (!parsed.ok || parsed.value.includes.length === 0) return [];
    const views: Omit<View, "partials">[] = options.stored ? [{ scope: "stored", label: DEFAULT_LABEL }] : [];
    if (options.label !== null) views.push({ scope: "served", label: options.label });
    // What becomes active under production also answers under every label that has nothing of the key itself.
    if (options.label === DEFAULT_LABEL)
      for (const label of selectLabels.all())
        if (label !== DEFAULT_LABEL && !pointers.has(label)) views.push({ scope: "fallback", label });
    return views.map((view) => viewFrom(root, view));
  }

  return function loadFacts(command) {
    const { key } = command;
    const known = selectKey.get(key);
    const version = (n: number) => {
      const row = selectVersion.get(key, n);
      return row === undefined ? null : versionOf(row);
    };
    const newest = known === undefined || known.newest === null ? null : version(known.newest);
    const seed = known === undefined || known.seed_since === null ? null : version(0);
    const pointers = new Map(
      selectPointers.all(key).map(({ label, version, seq, kind }) => [label, { version, seq, kind }]),
    );
    const past = command.type === "seed" ? [] : selectPast.all(command.commandId).map(pastEvent);
    const targetOf = (n: number) => {
      const row = selectFull.get(key, n);
      return row === undefined ? null : fullVersionOf(row);
    };

    let target: Facts["target"] = null;
    let views: View[] = [];
    if (command.type === "activate" && command.version > 0) {
      target = targetOf(command.version);
      if (target !== null) views = viewsOf(target, pointers, { stored: false, label: command.label });
    } else if (command.type === "add") {
      const stored = past.find((event) => event.type !== "TemplateDeactivated");
      target = stored === undefined ? null : targetOf(stored.version);
      const { syntax } = inheritSettings(command.settings, newest ?? seed);
      const root = target ?? { key, body: command.body, syntax };
      views = viewsOf(root, pointers, { stored: target === null, label: command.activate });
    } else if (command.type === "seed") {
      const root = { key, body: command.body, syntax: command.settings.syntax };
      views = viewsOf(root, pointers, { stored: true, label: null });
    }
    return {
      position: position(),
      past,
      twin: selectTwin.get(foldKey(key), key) ?? null,
      newest,
      seed,
      seedSince: known?.seed_since ?? null,
      pointers,
      target,
      views,
    };
  };
}
