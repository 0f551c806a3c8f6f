import type { Primitives } from "@incipit/events";
import { ok, type Result, type Syntax } from "@incipit/schema";
import { outlineOf, type Parse, type Parsed } from "./domain/language.ts";

/** Bytes that are remembered at most. */
const REMEMBERED_BYTES = 32 * 1024 * 1024;
/** What takes more than this is remembered only until the next of its kind, so that it cannot drive all else out. */
const ENTRY_BYTES = REMEMBERED_BYTES / 10;

type Entry = { result: Result<Parsed>; bytes: number };

/**
 * Remembers what parsing has told, the latest used: loading facts, deciding and applying read the same bodies several times
 * over, and popular partials with every command.
 */
export function memoizeParse(parse: Parse, { sha256 }: Primitives): Parse {
  const known = new Map<string, Entry>();
  let knownBytes = 0;
  let large: { id: string; entry: Entry } | null = null;

  function remember(id: string, entry: Entry) {
    if (entry.bytes > ENTRY_BYTES) {
      large = { id, entry };
      return;
    }
    known.set(id, entry);
    knownBytes += entry.bytes;
    for (const [oldest, { bytes }] of known) {
      if (knownBytes <= REMEMBERED_BYTES) break;
      known.delete(oldest);
      knownBytes -= bytes;
    }
  }

  return (body: string, syntax: Syntax) => {
    const id = sha256(syntax, "\n", body);
    if (large?.id === id) return large.entry.result;
    const before = known.get(id);
    if (before !== undefined) {
      known.delete(id);
      known.set(id, before);
      return before.result;
    }
    const parsed = parse(body, syntax);
    const entry = detach(parsed.ok ? ok(outlineOf(parsed.value)) : parsed);
    remember(id, entry);
    return entry.result;
  };
}

/**
 * The result as one of its own, and its size: a string cut out of a body keeps the whole body in memory, for a key of a few
 * characters a quarter of a megabyte.
 */
function detach(result: Result<Parsed>): Entry {
  const text = JSON.stringify(result);
  // An include takes some 150 characters as JSON, and was measured to take some 210 bytes in memory.
  return { result: JSON.parse(text) as Result<Parsed>, bytes: 500 + 2 * text.length };
}
