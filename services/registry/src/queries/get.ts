import {
  DEFAULT_LABEL,
  ok,
  refuse,
  type GetReply,
  type getPayloadSchema,
  type Result,
} from "@incipit/schema";
import type Database from "better-sqlite3";
import { fullVersionOf, VERSION_COLUMNS, type FullVersionRow } from "../projection/rows.ts";
import { prepareKeyFacts } from "./key-facts.ts";

type Payload = ReturnType<typeof getPayloadSchema.parse>;

/** `get`: one version as written, by number, or by label as a render would resolve it. */
export function prepareGet(db: Database.Instance) {
  const { refuseUnknown, labelsOf } = prepareKeyFacts(db);
  const select = db.prepare<[string, number], FullVersionRow>(
    `SELECT ${VERSION_COLUMNS}, v.body FROM versions v WHERE v.key = ? AND v.version = ?`,
  );

  return function get(key: string, { version, label }: Payload): Result<GetReply> {
    if (version !== undefined && label !== undefined)
      return refuse("bad_request", "Ask by version or by label, not by both.", { key });
    const unknown = refuseUnknown(key);
    if (unknown !== null) return unknown;
    const pointers = labelsOf(key);
    const under = label ?? DEFAULT_LABEL;
    const active = pointers.find((pointer) => pointer.label === under)?.version;
    // Only production falls back to the seed.
    const wanted = version ?? active ?? (under === DEFAULT_LABEL ? 0 : null);
    const row = wanted === null ? undefined : select.get(key, wanted);
    if (row !== undefined)
      return ok({
        ...fullVersionOf(row),
        labels: pointers.filter((pointer) => pointer.version === row.version).map(({ label: name }) => name),
      });
    if (version === undefined)
      return refuse("not_active", `Nothing of ${key} is active under ${under}.`, { key });
    const why = version === 0 ? `${key} has no seed.` : `${key} has no version ${version}.`;
    return refuse("version_not_found", why, { key, version });
  };
}
