import type { Bus } from "@incipit/bus";
import type { Subjects } from "@incipit/events";
import { parseWith, problem, refuse, type Result } from "@incipit/schema";
import { withRetries, type RetryWorld } from "./retry.ts";

/** A reply with the service instance that gave it; null where the reply does not say. */
export type Answered<T> = T & { instance: string | null };

/** How to send one logical call. */
export type CallOptions = {
  /** Milliseconds for this call, its retries included. */
  timeoutMs?: number | undefined;
  /** Wait for a service that is not there yet, instead of failing at once. */
  retryNoResponders?: boolean | undefined;
};

/** What every call needs: the bus, the grammar, and the client's defaults. */
export type Caller = {
  bus: Pick<Bus, "request">;
  subjects: Subjects;
  timeoutMs: number;
  retryNoResponders: boolean;
  /** Throws where the client is closed: to use it then is a bug of the program, which no fallback may hide. */
  assertOpen?: () => void;
  world: RetryWorld;
};

/** Parses an untrusted reply. */
export type ReplySchema<T> = Parameters<typeof parseWith<T>>[0];

/** One request, as it goes out. */
export type Call<T> = {
  subject: string;
  /** The subject's template, for spans. */
  template: string;
  /** Gets the milliseconds this attempt may take. */
  body: (timeoutMs: number) => object;
  reply: ReplySchema<T>;
  /** The longest that its service takes to answer, in milliseconds, where it promises one. */
  attemptMs?: number;
  /** It may change something. */
  isCommand?: boolean;
};

/**
 * Sends one logical call: retries what may pass, and parses the reply. An outage is a refusal here, never a throw; only a
 * closed client throws.
 */
export async function send<T>(
  caller: Caller,
  call: Call<T>,
  options: CallOptions & { once?: boolean },
): Promise<Result<Answered<T>>> {
  caller.assertOpen?.();
  const timeoutMs = options.timeoutMs ?? caller.timeoutMs;
  const result = await withRetries(
    (attemptMs) => attempt(caller, call, attemptMs),
    {
      timeoutMs,
      retryNoResponders: options.retryNoResponders ?? caller.retryNoResponders,
      once: options.once ?? false,
      ...(call.attemptMs !== undefined && { attemptMs: call.attemptMs }),
    },
    caller.world,
  );
  // The bus tells of the last attempt; whoever called wants to know of the call.
  return !result.ok && result.problem.code === "timeout"
    ? { ok: false, problem: { ...result.problem, ...noReply(timeoutMs, call.isCommand ?? false) } }
    : result;
}

function noReply(timeoutMs: number, isCommand: boolean) {
  const unknown = isCommand ? " Whether the command was carried out is not known." : "";
  return problem("timeout", `No reply came within ${timeoutMs} ms.${unknown}`);
}

async function attempt<T>(
  { bus }: Caller,
  { subject, template, body, reply, isCommand = false }: Call<T>,
  timeoutMs: number,
): Promise<Result<Answered<T>>> {
  const whole = Math.max(1, Math.ceil(timeoutMs));
  const answer = await bus.request({ subject, template, body: body(whole), timeoutMs: whole, isCommand });
  if (!answer.ok) return answer;
  const parsed = parseWith(reply, answer.value.body, `The reply to ${template}`, "internal");
  return parsed.ok
    ? { ok: true, value: { ...parsed.value, instance: answer.value.instance } }
    : refuse("internal", `${parsed.problem.message} Are client and service of the same release?`);
}

/** Share of an attempt that a service may spend waiting for `minSeq`, so that its answer still arrives in time. */
const WAIT_SHARE = 0.8;

/** The wait to ask of a service with `minSeq`; nothing where none is asked for. */
export function waitFor(
  minSeq: number | undefined,
  timeoutMs: number,
): { minSeq?: number; timeoutMs?: number } {
  return minSeq === undefined
    ? {}
    : { minSeq, timeoutMs: Math.min(60_000, Math.floor(timeoutMs * WAIT_SHARE)) };
}
