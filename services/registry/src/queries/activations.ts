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

/** `activations`: who moved a key's labels, from what, to what, when and why; newest first. */
export function prepareActivations(db: Database.Instance) {
  const { refuseUnknown } = prepareKeyFacts(db);
  const select = db.prepare<
    [{ key: string; label: string | null; before: number; limit: number }],
    ActivationItem
  >(`
    SELECT key, label, version, previous, note, actor, at, seq FROM moves
    WHERE key = @key AND seq < @before AND (@label IS NULL OR label = @label)
    ORDER BY seq DESC LIMIT @limit
  `);

  return function activations(key: string, payload: Payload): Result<ActivationsReply> {
    const unknown = refuseUnknown(key);
    if (unknown !== null) return unknown;
    const { label = null, before = Number.MAX_SAFE_INTEGER, limit } = payload;
    const rows = select.all({ key, label, before, limit: limit + 1 });
    const items = rows.slice(0, limit);
    return ok({ key, items, before: rows.length > limit ? (items.at(-1)?.seq ?? null) : null });
  };
}
