import { DEFAULT_LABEL, foldKey } from "@incipit/schema";
import type Database from "better-sqlite3";
import type { Command } from "../domain/commands.ts";
import type { Facts, Included, Move, PastEvent, Pointer } from "../domain/facts.ts";
import type { Parse } from "../domain/language.ts";
import { inheritSettings } from "../domain/settings.ts";
import { prepareContracts } from "./contracts.ts";
import { fullVersionOf, VERSION_COLUMNS, versionOf, type FullVersionRow, type VersionRow } from "./rows.ts";
import { prepareViews } from "./views.ts";

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
  const around = prepareViews(db, parse);
  const contracts = prepareContracts(db);
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
  const selectLastMove = db.prepare<[string, string], Move>(
    "SELECT seq, version FROM moves WHERE key = ? AND label = ? ORDER BY seq DESC LIMIT 1",
  );
  const selectPast = db.prepare<[string], PastRow>(
    "SELECT seq, at, command_hash, type, label, version, previous FROM commands WHERE command_id = ? ORDER BY seq",
  );

  function pastEvent(row: PastRow): PastEvent {
    const { seq, at, type, label, version, previous } = row;
    const common = { seq, at, commandHash: row.command_hash };
    if (type === "TemplateAdded" || type === "ContractPublished") return { ...common, type, version };
    if (type === "TemplateActivated") return { ...common, type, label, version, previous };
    return { ...common, type, label, previous: previous ?? 0 };
  }

  /** Where nothing of the key is active any more under a label, what its includers meet there instead. */
  function servedWithout(label: string, { key, pointers, seed }: KeyFacts): Included | null {
    const active = label === DEFAULT_LABEL ? undefined : pointers.get(DEFAULT_LABEL)?.version;
    return around.versionAt(key, active ?? (seed === null ? null : 0));
  }

  /** A command's stored version, and how its template and those that include it would fare. */
  function surroundingsOf(command: Command, known: KeyFacts): Surroundings {
    const { key, pointers } = known;
    const none: Surroundings = { target: null, contract: null, views: [], affected: [] };
    const targetOf = (version: number) => {
      const row = selectFull.get(key, version);
      return row === undefined ? null : fullVersionOf(row);
    };
    switch (command.type) {
      case "deactivate":
        return pointers.has(command.label)
          ? {
              ...none,
              affected: around.affectedBy(key, command.label, servedWithout(command.label, known)),
            }
          : none;
      case "activate": {
        const { label, version } = command;
        if (version === 0)
          return pointers.has(label)
            ? { ...none, affected: around.affectedBy(key, label, servedWithout(label, known)) }
            : none;
        const target = targetOf(version);
        if (target === null) return none;
        const parsed = parse(target.body, target.syntax);
        const { kind, contract } = target;
        return {
          target,
          contract,
          views: around.viewsOf(parsed, contract, [{ scope: "served", label }]),
          affected:
            pointers.get(label)?.version === version
              ? []
              : around.affectedBy(key, label, { key, version, kind, parsed, contract, source: target }),
        };
      }
      case "add": {
        const stored = known.past.find((event) => event.type !== "TemplateDeactivated");
        const target = stored === undefined ? null : targetOf(stored.version);
        const settings = target ?? inheritSettings(command.settings, known.newest ?? known.seed);
        const parsed = parse(target?.body ?? command.body, settings.syntax);
        const label = command.activate;
        const version = target?.version ?? (known.newest?.version ?? 0) + 1;
        const { kind, contract, syntax } = settings;
        const source = { body: target?.body ?? command.body, syntax };
        return {
          target,
          contract,
          views: around.viewsOf(parsed, contract, [
            { scope: "stored", label: DEFAULT_LABEL },
            ...(label === null ? [] : [{ scope: "served", label } as const]),
          ]),
          affected:
            label === null
              ? []
              : around.affectedBy(key, label, { key, version, kind, parsed, contract, source }),
        };
      }
      case "seed": {
        const parsed = parse(command.body, command.settings.syntax);
        return {
          ...none,
          contract: command.settings.contract,
          views: around.viewsOf(parsed, command.settings.contract, [
            { scope: "stored", label: DEFAULT_LABEL },
          ]),
        };
      }
      case "publish":
        return { ...none, contract: key };
    }
  }

  function publishedAt(name: string, version: number): Facts["published"] {
    const published = contracts.version(name, version);
    const before = contracts.version(name, version - 1)?.contract ?? null;
    return published === null ? null : { ...published, before };
  }

  return function loadFacts(command) {
    const { key } = command;
    const row = selectKey.get(key);
    const version = (n: number) => {
      const found = selectVersion.get(key, n);
      return found === undefined ? null : versionOf(found);
    };
    const known: KeyFacts = {
      key,
      past: command.type === "seed" ? [] : selectPast.all(command.commandId).map(pastEvent),
      newest: row === undefined || row.newest === null ? null : version(row.newest),
      seed: row === undefined || row.seed_since === null ? null : version(0),
      pointers: new Map(
        selectPointers.all(key).map(({ label, version, seq, kind }) => [label, { version, seq, kind }]),
      ),
    };
    const { past, newest, seed, pointers } = known;
    const label = command.type === "add" ? command.activate : null;
    const { contract, ...surroundings } = surroundingsOf(command, known);
    const stored =
      command.type === "publish" ? past.find(({ type }) => type === "ContractPublished") : undefined;
    return {
      position: position(),
      past,
      twin: command.type === "publish" ? contracts.twin(key) : (selectTwin.get(foldKey(key), key) ?? null),
      newest,
      seed,
      seedSince: row?.seed_since ?? null,
      pointers,
      lastMove: label === null ? null : (selectLastMove.get(key, label) ?? null),
      ...surroundings,
      contracts: contracts.newestOf([
        contract,
        ...surroundings.affected.flatMap(({ users }) => users.map((user) => user.contract)),
      ]),
      contractUsers: command.type === "publish" ? around.contractUsers(key) : [],
      published: stored?.type === "ContractPublished" ? publishedAt(key, stored.version) : null,
    };
  };
}

/** What surrounds a command's template, and the contract it is written against. */
type Surroundings = Pick<Facts, "target" | "views" | "affected"> & { contract: string | null };

/** What is known of a command's key before anything around it is looked at. */
type KeyFacts = { key: string } & Pick<Facts, "past" | "newest" | "seed" | "pointers">;
