import type { RenderReply, Result } from "@incipit/schema";
import type { Attributes } from "@opentelemetry/api";

/** What a render's span says: key, version, label, log position and hash; never a word of a text or a value. */
export function describeRender(result: Result<unknown>): Attributes {
  if (!result.ok) {
    const { key, version } = result.problem;
    return {
      ...(key !== undefined && { "gen_ai.prompt.name": key }),
      ...(version !== undefined && { "gen_ai.prompt.version": String(version) }),
    };
  }
  // The endpoint's own handler made it.
  const { key, version, label, seq, hash } = result.value as RenderReply;
  return {
    "gen_ai.prompt.name": key,
    "gen_ai.prompt.version": String(version),
    "incipit.seq": seq,
    "incipit.hash": hash,
    ...(label !== null && { "incipit.label": label }),
  };
}
