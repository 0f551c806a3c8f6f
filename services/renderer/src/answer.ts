import type { Logger } from "@incipit/bus";
import type { Subjects } from "@incipit/events";
import {
  type JsonObject,
  ok,
  type Problem,
  problem,
  refuse,
  type RenderReply,
  type Result,
} from "@incipit/schema";
import { trace } from "@opentelemetry/api";
import { render } from "@incipit/templates";
import { LogUnreachableError } from "./within.ts";
import type { Found } from "./finder.ts";
import type { Generation } from "./generation.ts";
import type { ContextCheck } from "./template-cache.ts";
import { buildReply } from "./render/reply.ts";
import { readRequest, type Wanted } from "./render/request.ts";

/** Answers render requests. `cause`: the traceparent of the append that made the reply's version live. */
export type Answer = (
  subject: string,
  body: unknown,
) => Promise<Result<RenderReply> & { cause?: string | null }>;

/** What answering takes. */
export type AnswerOptions = {
  subjects: Subjects;
  /** The generation in charge. */
  current: () => Generation;
  /** Called once for each reply. */
  onAnswered: (found: Found) => void;
  logger: Logger;
};

/** Fields of a context that are told of, where the contract does not list them. */
const MOST_EXTRA = 20;

/** Looks for fields that the contract does not list where somebody wants to know: who traces, and who refuses them. */
function noteExtra(check: ContextCheck, context: JsonObject, isWanted: boolean): string[] {
  const span = trace.getActiveSpan();
  const isTraced = span?.isRecording() === true;
  if (!isTraced && !isWanted) return [];
  const extra = check.findUnlisted(context, MOST_EXTRA);
  if (isTraced && extra.length > 0) span.setAttribute("incipit.context.extra", extra);
  return extra;
}

function problemOfExtra(extra: readonly string[]): Problem {
  const [path = ""] = extra;
  const message = `The context has fields that the contract does not list: ${extra.join(", ")}. Correct their names, or leave them out.`;
  return problem("bad_context", message, { path });
}

/**
 * Builds the handler of `prompt.render.>`. The reply's `seq` is the position of the last pointer event it reflects, or
 * the request's `minSeq` where that is higher: the leader has said that no pointer event lies between the two.
 */
export function createAnswer({ subjects, current, onAnswered, logger }: AnswerOptions): Answer {
  return async (subject, body) => {
    const key = subjects.parseRender(subject);
    if (!key.ok) return key;
    const request = readRequest(key.value, body);
    if (!request.ok) return { ok: false, problem: { key: key.value, ...request.problem } };
    const { wanted, context, refuseExtra, minSeq, timeoutMs } = request.value;
    const generation = current();
    if (!(await generation.freshness.reach(minSeq, timeoutMs)))
      return refuse(
        "not_caught_up",
        `Log position ${minSeq} was asked for (minSeq) and did not come within ${timeoutMs} ms; the last change that this ` +
          `renderer knows of stands at ${generation.pointers.seq()}. Ask again, unless the log has no such position.`,
        { key: wanted.key },
      );
    const found = await find(generation, wanted);
    if (!found.ok) return found;
    const { root, label, pointer, partials, template, check, hash, seq, keys } = found.value;
    generation.uses.note(wanted, keys);
    const named = { key: root.key, version: root.version };
    const extra = check === null ? [] : noteExtra(check, context, refuseExtra);
    if (refuseExtra && extra.length > 0)
      return { ok: false, problem: { ...problemOfExtra(extra), ...named } };
    const fitting = check === null ? ok(context) : check.validate(context);
    if (!fitting.ok) return { ok: false, problem: { ...fitting.problem, ...named } };
    const rendered = render(template, fitting.value);
    if (!rendered.ok) return { ok: false, problem: { ...rendered.problem, ...named } };
    const reply = buildReply({
      root,
      label,
      partials,
      hash,
      contract: check?.contract ?? null,
      text: rendered.value.text,
      seq: Math.max(seq, minSeq),
      stale: generation.state() === "stale",
    });
    onAnswered(found.value);
    return { ...ok(reply), cause: pointer?.trace ?? null };
  };

  async function find(generation: Generation, wanted: Wanted): Promise<Result<Found>> {
    try {
      return await generation.finder.find(wanted, generation.pointers);
    } catch (err) {
      if (!(err instanceof LogUnreachableError)) throw err;
      logger.warn(
        { err, key: wanted.key },
        "a render needs what is not in memory, and the log does not answer",
      );
      return refuse(
        "unavailable",
        `What ${wanted.key} needs is not in this renderer's memory, and the log is out of reach: try again later.`,
        { key: wanted.key },
      );
    }
  }
}
