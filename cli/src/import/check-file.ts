import { CATALOGUE, encodeEnvelope } from "@incipit/events";
import {
  addPayloadSchema,
  isWellFormed,
  LIMITS,
  ok,
  parseWith,
  refuse,
  utf8Length,
  type Result,
} from "@incipit/schema";
import type { ImportFile } from "./plan.ts";

/** Checks what the registry would refuse of a file whatever else there is: its settings, its text, its size in the log. */
export function checkFile({ path, file: { key, body, settings } }: ImportFile): Result<null> {
  const payload = { body, ...settings };
  const what = `The template in ${path}`;
  if (!isWellFormed(payload))
    return refuse("bad_request", `${what} holds half of a surrogate pair, which has no UTF-8.`, { key });
  const parsed = parseWith(addPayloadSchema, payload, what);
  if (!parsed.ok) return { ok: false, problem: { ...parsed.problem, key } };
  const bytes = leastBytesInLog(key, payload);
  if (bytes > LIMITS.envelopeBytes)
    return refuse(
      "too_large",
      `${what} takes ${bytes} bytes in the log, the limit is ${LIMITS.envelopeBytes}. Characters that JSON has to ` +
        "escape take up to six.",
      { key },
    );
  return ok(null);
}

const UUID = "00000000-0000-0000-0000-000000000000";
const SHA_256 = "0".repeat(64);

/** The least that the event of a template takes: with the shortest of what is only known when it is stored. */
function leastBytesInLog(key: string, payload: object): number {
  const type = "TemplateAdded";
  return utf8Length(
    encodeEnvelope({
      id: UUID,
      type,
      v: CATALOGUE[type].v,
      at: "2026-01-01T00:00:00.000Z",
      actor: "a",
      commandId: UUID,
      commandHash: SHA_256,
      trace: null,
      index: 1,
      prev: SHA_256,
      data: { key, version: 1, ...payload, source: "user", note: "", hash: SHA_256 },
    }),
  );
}
