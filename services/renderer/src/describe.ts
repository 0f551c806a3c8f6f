import type { RpcEndpoint } from "@incipit/bus";
import type { Subjects } from "@incipit/events";
import type { RenderReply, Result } from "@incipit/schema";
import { spanLinkFrom } from "@incipit/bus";
import type { Attributes } from "@opentelemetry/api";

/** The traceparent of the append that made a reply's version live, or null. */
export type TraceOf = (reply: object) => string | null;

/**
 * What a render's span says: key, version, label, log position and hash, or the error's code; never a word of text or
 * context. It links to the append that made the version live, so that a bad answer leads to who switched it on.
 */
export function describeRender(subjects: Subjects, traceOf: TraceOf): NonNullable<RpcEndpoint["describe"]> {
  return ({ subject }, result: Result<unknown>) => {
    if (!result.ok) {
      const { problem } = result;
      const asked = subjects.parseRender(subject);
      const name = problem.key ?? (asked.ok ? asked.value : undefined);
      const attributes: Attributes = { "incipit.error.code": problem.code };
      if (name !== undefined) attributes["gen_ai.prompt.name"] = name;
      if (problem.version !== undefined) attributes["gen_ai.prompt.version"] = String(problem.version);
      return { attributes };
    }
    // The endpoint's own handler made it.
    const reply = result.value as RenderReply;
    const attributes: Attributes = {
      "gen_ai.prompt.name": reply.key,
      "gen_ai.prompt.version": String(reply.version),
      "incipit.seq": reply.seq,
      "incipit.hash": reply.hash,
    };
    if (reply.label !== null) attributes["incipit.label"] = reply.label;
    const link = spanLinkFrom(traceOf(reply));
    return link === null ? { attributes } : { attributes, links: [link] };
  };
}
