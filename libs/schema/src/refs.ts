import { parseKey } from "./keys.ts";
import { ok, refuse, type Result } from "./problem.ts";

/** The label that a render without a label follows, and the only one that falls back to the seed. */
export const DEFAULT_LABEL = "production";

/** The grammar of a label: never mistaken for a version. */
export const LABEL_PATTERN = /^[a-z][a-z0-9-]{0,62}$/;

/** What a person types to name a template: `key`, `key@3` or `key@staging`. */
export type Ref = { key: string; version?: number; label?: string };

/** Parses a ref. A malformed key is `bad_key`, a malformed version or label `bad_request`. */
export function parseRef(text: string): Result<Ref> {
  const at = text.indexOf("@");
  const key = parseKey(at < 0 ? text : text.slice(0, at));
  if (!key.ok) return key;
  if (at < 0) return ok({ key: key.value });
  const pointer = text.slice(at + 1);
  if (/^(0|[1-9][0-9]{0,8})$/.test(pointer)) return ok({ key: key.value, version: Number(pointer) });
  if (LABEL_PATTERN.test(pointer)) return ok({ key: key.value, label: pointer });
  return refuse(
    "bad_request",
    `${JSON.stringify(pointer)} is neither a version nor a label: write ${key.value}@3 or ${key.value}@staging.`,
    { key: key.value },
  );
}
