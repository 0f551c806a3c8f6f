import { LIMITS } from "./limits.ts";
import { ok, refuse, type Result } from "./problem.ts";

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;

/**
 * Parses a template's name: segments `[A-Za-z0-9_][A-Za-z0-9_-]*` joined by `/`, at most 16 segments and 200
 * characters. Anything else is `bad_key`, with what is wrong and where.
 */
export function parseKey(text: string): Result<string> {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const refused = (why: string) =>
    refuse(
      "bad_key",
      `${shown} is not a key: ${why}. A key is segments of A-Z a-z 0-9 _ - joined by "/", like support/triage.`,
    );
  if (text.length === 0) return refused("it is empty");
  if (text.length > LIMITS.keyLength)
    return refused(`it has ${text.length} characters, the limit is ${LIMITS.keyLength}`);
  const segments = text.split("/");
  if (segments.length > LIMITS.keySegments)
    return refused(`it has ${segments.length} segments, the limit is ${LIMITS.keySegments}`);
  for (const segment of segments) {
    if (SEGMENT.test(segment)) continue;
    if (segment === "") return refused("a segment is empty");
    return refused(`the segment ${JSON.stringify(segment.slice(0, 40))} has a character that is not allowed`);
  }
  return ok(text);
}

/** Whether a string is a key. */
export function isKey(text: string): boolean {
  return parseKey(text).ok;
}

/** The form in which keys that differ only in case are equal: two such keys cannot coexist. */
export function foldKey(key: string): string {
  return key.toLowerCase();
}
