import {
  ok,
  type ActivationItem,
  type ActivationsReply,
  type activationsPayloadSchema,
  type Result,
} from "@incipit/schema";
import type Database from "better-sqlite3";
import { prepareKeyFacts } from "./key-facts.ts";

type Payload = ReturnType<typeof activationsPayloadSchema.parse>;

type Asked = { key: string | null; label: string | null; before: number; limit: number };

/** `activations`: who moved labels, of one key or (null) of all, from what, to what, when and why; newest first. */
export function prepareActivations(db: Database.Instance) {
  const { refuseUnknown } = prepareKeyFacts(db);
  const select = (where: string) =>
    db.prepare<[Asked], ActivationItem>(`
      SELECT key, label, version, previous, note, actor, at, seq FROM moves
      WHERE seq < @before AND ${where} ORDER BY seq DESC LIMIT @limit
    `);
  const ofKey = select("key = @key AND (@label IS NULL OR label = @label)");
  const ofLabel = select("label = @label");
  const ofAll = select("1");

  return function activations(key: string | null, payload: Payload): Result<ActivationsReply> {
    const unknown = key === null ? null : refuseUnknown(key);
    if (unknown !== null) return unknown;
    const { label = null, before = Number.MAX_SAFE_INTEGER, limit } = payload;
    const statement = key !== null ? ofKey : label !== null ? ofLabel : ofAll;
    const rows = statement.all({ key, label, before, limit: limit + 1 });
    const items = rows.slice(0, limit);
    return ok({ key, items, before: rows.length > limit ? (items.at(-1)?.seq ?? null) : null });
  };
}
