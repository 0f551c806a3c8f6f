import type { Envelope, EventData, PromptEvent } from "@incipit/events";
import { DEFAULT_LABEL, foldKey, utf8Length, type Syntax } from "@incipit/schema";
import type Database from "better-sqlite3";
import { mayInclude, outlineOf, type Parse, type Parsed } from "../domain/language.ts";
import { prepareListing } from "./listing.ts";
import { VERSION_COLUMNS } from "./rows.ts";

/** Where an event stands in the log. */
type Place = { seq: number; envelope: Envelope };

/**
 * The one and only evolve: writes what an event says into the tables. Returns null, or why the event contradicts what is
 * there; then nothing of it is written. (No registry appends such an event; one that went astray must not stop us.)
 */
export type Apply = (event: PromptEvent, place: Place) => string | null;

/** Prepares `apply` on a database. `parse` finds what a template includes. It runs inside the transaction of its batch. */
export function prepareApply(db: Database.Instance, parse: Parse): Apply {
  const insertVersion = db.prepare<[Record<string, string | number | null>]>(`
    INSERT INTO versions
      (key, version, kind, syntax, contract, on_error, config, tags, note, source, hash, bytes, actor, created, seq,
       outline, body)
    VALUES
      (@key, @version, @kind, @syntax, @contract, @on_error, @config, @tags, @note, @source, @hash, @bytes, @actor,
       @created, @seq, @outline, @body)
  `);
  const insertInclude = db.prepare<[string, number, string]>(
    "INSERT INTO includes VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const deleteSeedIncludes = db.prepare<[string]>("DELETE FROM includes WHERE key = ? AND version = 0");
  const keepSeed = db.prepare<[string]>(
    `INSERT INTO past_seeds SELECT ${VERSION_COLUMNS}, v.body FROM versions v WHERE v.key = ? AND v.version = 0`,
  );
  const deleteSeed = db.prepare<[string]>("DELETE FROM versions WHERE key = ? AND version = 0");
  const hasVersion = db.prepare<[string, number]>("SELECT 1 FROM versions WHERE key = ? AND version = ?");
  const insertKey = db.prepare<[string, string]>(
    "INSERT INTO keys (key, folded) VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  const setNewest = db.prepare<[number, string]>(
    "UPDATE keys SET newest = max(coalesce(newest, 0), ?) WHERE key = ?",
  );
  const setSeedSince = db.prepare<[number, string]>(
    "UPDATE keys SET seed_since = coalesce(seed_since, ?) WHERE key = ?",
  );
  const listing = prepareListing(db);
  const setPointer = db.prepare<[string, string, number, number]>(
    "REPLACE INTO pointers VALUES (?, ?, ?, ?)",
  );
  const deletePointer = db.prepare<[string, string]>("DELETE FROM pointers WHERE key = ? AND label = ?");
  const insertMove = db.prepare<[Record<string, string | number | null>]>(
    "INSERT INTO moves VALUES (@seq, @key, @label, @version, @previous, @note, @actor, @at)",
  );
  const insertCommand = db.prepare<[Record<string, string | number | null>]>(`
    INSERT INTO commands
    VALUES (@seq, @command_id, @command_hash, @at, @type, @key, @label, @version, @previous)
  `);

  const newestContract = db
    .prepare<[string], number>("SELECT max(version) FROM contracts WHERE name = ?")
    .pluck();
  const insertContract = db.prepare<[Record<string, string | number | null>]>(
    "INSERT INTO contracts VALUES (@name, @version, @document, @note, @hash, @actor, @created, @seq)",
  );

  function remember(
    type: PromptEvent["type"],
    data: { key: string; label?: string; version?: number; previous?: number | null },
    { seq, envelope }: Place,
  ) {
    insertCommand.run({
      seq,
      command_id: envelope.commandId,
      command_hash: envelope.commandHash,
      at: envelope.at,
      type,
      key: data.key,
      label: data.label ?? null,
      version: data.version ?? null,
      previous: data.previous ?? null,
    });
  }

  /** What a version includes; null where it includes nothing or does not parse. */
  function includesOf(body: string, syntax: Syntax): Parsed | null {
    if (!mayInclude(body, syntax)) return null;
    const parsed = parse(body, syntax);
    return parsed.ok && parsed.value.includes.length > 0 ? outlineOf(parsed.value) : null;
  }

  function added(data: EventData<"TemplateAdded">, place: Place): string | null {
    const { key, version, kind, syntax, contract, note, source, hash, body } = data;
    const { seq, envelope } = place;
    if (version > 0 && hasVersion.get(key, version) !== undefined)
      return `version ${version} of ${key} is stored already, and versions never change`;
    const relist = listing.begin(key);
    if (version === 0) {
      keepSeed.run(key);
      deleteSeed.run(key);
      deleteSeedIncludes.run(key);
    }
    const outline = includesOf(body, syntax);
    insertVersion.run({
      key,
      version,
      kind,
      syntax,
      contract,
      note,
      source,
      hash,
      body,
      seq,
      outline: outline === null ? null : JSON.stringify(outline),
      on_error: data.onError,
      config: data.config === null ? null : JSON.stringify(data.config),
      tags: JSON.stringify(data.tags),
      bytes: utf8Length(body),
      actor: envelope.actor,
      created: envelope.at,
    });
    for (const include of outline?.includes ?? []) insertInclude.run(key, version, include.key);
    insertKey.run(key, foldKey(key));
    if (version === 0) setSeedSince.run(seq, key);
    else setNewest.run(version, key);
    relist();
    remember("TemplateAdded", { key, version }, place);
    return null;
  }

  function moved(
    type: "TemplateActivated" | "TemplateDeactivated",
    data: { key: string; label: string; version: number | null; previous: number | null; note: string },
    place: Place,
  ): string | null {
    const { key, label, version, previous, note } = data;
    const { seq, envelope } = place;
    if (version !== null && hasVersion.get(key, version) === undefined)
      return `there is no version ${version} of ${key} to activate`;
    const relist = label === DEFAULT_LABEL ? listing.begin(key) : null;
    if (version === null) deletePointer.run(key, label);
    else setPointer.run(key, label, version, seq);
    insertMove.run({ seq, key, label, version, previous, note, actor: envelope.actor, at: envelope.at });
    relist?.();
    remember(type, { key, label, previous, ...(version !== null && { version }) }, place);
    return null;
  }

  function published(data: EventData<"ContractPublished">, place: Place): string | null {
    const { name, version, document, note, hash } = data;
    const { seq, envelope } = place;
    const newest = newestContract.get(name) ?? 0;
    if (version !== newest + 1)
      return `version ${version} of the contract ${name} does not follow version ${newest}`;
    insertContract.run({
      name,
      version,
      note,
      hash,
      seq,
      document: JSON.stringify(document),
      actor: envelope.actor,
      created: envelope.at,
    });
    remember("ContractPublished", { key: name, version }, place);
    return null;
  }

  return function apply(event, place) {
    switch (event.type) {
      case "TemplateAdded":
        return added(event.data, place);
      case "TemplateActivated":
        return moved(event.type, event.data, place);
      case "TemplateDeactivated":
        return moved(event.type, { ...event.data, version: null }, place);
      case "ContractPublished":
        return published(event.data, place);
    }
  };
}
