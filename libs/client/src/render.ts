import {
  LIMITS,
  ok,
  parseKey,
  parseRef,
  refuse,
  renderReplySchema,
  utf8Length,
  type ErrorCode,
  type JsonObject,
  type Problem,
  type Ref,
  type RenderReply,
  type Result,
} from "@incipit/schema";
import { send, waitFor, type Answered, type Caller, type CallOptions } from "./call.ts";

/** What a render may be given. */
export type RenderOptions = CallOptions & {
  context?: JsonObject;
  /** The pointer to follow, `production`. Or write `key@label`. */
  label?: string;
  /** One version. Or write `key@3`. */
  version?: number;
  /** Versions to use for these keys, whatever their labels say: what an earlier reply listed. */
  pins?: Record<string, number>;
  /** Keys to try in order where the key does not exist. */
  fallbackKeys?: string[];
  /** What becomes of fields of the context that the contract does not list: left out (`ignore`, the default), or refused. */
  extraFields?: "ignore" | "refuse";
  /** The log position the answer must at least reflect: the `seq` of a command's reply. */
  minSeq?: number;
  /** The text to go on with while nobody can answer, after one attempt. Never used for a refusal. */
  fallback?: string;
};

/** A rendered text, and what made it. */
export type Rendered = Answered<RenderReply> & { fallback?: never };

/** The text the caller gave for when nobody answers, and why it was needed. */
export type FallbackText = { text: string; fallback: true; problem: Problem };

/** Nobody could answer. All other codes are answers. */
const OUTAGE: ReadonlySet<ErrorCode> = new Set(["no_responders", "unavailable", "timeout"]);

/** Renders `key`, `key@3` or `key@staging`. */
export async function render(
  caller: Caller,
  refText: string,
  options: RenderOptions,
): Promise<Result<Rendered | FallbackText>> {
  const ref = readRef(refText, options);
  if (!ref.ok) return ref;
  const fault = findFault(options);
  if (fault !== null) return fault;
  const { label, version } = ref.value;
  const { context, pins, fallbackKeys, extraFields, minSeq, fallback } = options;
  const result = await send<RenderReply>(
    caller,
    {
      subject: caller.subjects.render(ref.value.key),
      template: `${caller.subjects.prefix}.render`,
      body: (timeoutMs) => ({
        context,
        label,
        version,
        pins,
        fallbackKeys,
        extraFields,
        ...waitFor(minSeq, timeoutMs),
      }),
      reply: renderReplySchema,
    },
    // Who has a text to go on with does not want to wait for a second try.
    { ...options, once: fallback !== undefined },
  );
  if (!result.ok && fallback !== undefined && OUTAGE.has(result.problem.code))
    return ok({ text: fallback, fallback: true, problem: result.problem });
  return result;
}

function readRef(text: string, { label, version }: RenderOptions): Result<Ref> {
  const ref = parseRef(text);
  if (!ref.ok) return ref;
  const given = [ref.value.version, ref.value.label, label, version].filter((one) => one !== undefined);
  if (given.length > 1)
    return refuse("bad_request", `${text}: give one of a version and a label, and give it once.`, {
      key: ref.value.key,
    });
  return ok({
    ...ref.value,
    ...(label !== undefined && { label }),
    ...(version !== undefined && { version }),
  });
}

/** What is wrong with the options beyond what the service would say: a bad key, or too much to send. */
function findFault({ context, pins, fallbackKeys }: RenderOptions): { ok: false; problem: Problem } | null {
  for (const key of [...Object.keys(pins ?? {}), ...(fallbackKeys ?? [])]) {
    const parsed = parseKey(key);
    if (!parsed.ok) return parsed;
  }
  if (context === undefined) return null;
  const text = writeJson(context);
  if (text === null) return refuse("bad_context", "The context is not JSON: it holds a cycle or a bigint.");
  const bytes = utf8Length(text);
  return bytes > LIMITS.contextBytes
    ? refuse("too_large", `The context has ${bytes} bytes of JSON, the limit is ${LIMITS.contextBytes}.`)
    : null;
}

function writeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}
