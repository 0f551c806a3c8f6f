import type { Primitives } from "@incipit/events";
import { ok, type Result, type Syntax } from "@incipit/schema";
import type { Parse, Parsed } from "./domain/language.ts";

/** Results that are remembered; each is a list of includes, not the body and not its tree. */
const REMEMBERED = 2_000;

/**
 * Remembers what parsing has told: loading facts and deciding read the same bodies several times over, and popular partials
 * with every command.
 */
export function memoizeParse(parse: Parse, { sha256 }: Primitives): Parse {
  const known = new Map<string, Result<Parsed>>();
  return (body: string, syntax: Syntax) => {
    const id = sha256(syntax, "\n", body);
    const before = known.get(id);
    if (before !== undefined) return before;
    const parsed = parse(body, syntax);
    const result = parsed.ok ? ok(outlineOf(parsed.value)) : parsed;
    known.set(id, result);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return result;
  };
}

function outlineOf({ includes, hasCacheBreakpoint }: Parsed): Parsed {
  return {
    includes: includes.map(({ key, position, keyPosition, inLoop }) => ({
      key,
      position,
      keyPosition,
      inLoop,
    })),
    hasCacheBreakpoint,
  };
}
