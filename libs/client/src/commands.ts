import {
  activateReplySchema,
  ACTOR_PATTERN,
  addReplySchema,
  deactivateReplySchema,
  LIMITS,
  parseKey,
  publishReplySchema,
  refuse,
  utf8Length,
  type ActivatePayload,
  type ActivateReply,
  type AddPayload,
  type AddReply,
  type CommandVerb,
  type DeactivatePayload,
  type DeactivateReply,
  type PublishPayload,
  type PublishReply,
  type Result,
} from "@incipit/schema";
import { send, type Answered, type Caller, type CallOptions, type ReplySchema } from "./call.ts";

/** What commands need beyond any call: who sends them, and ids that make a repeated request harmless. */
export type Commander = Caller & { actor: string | undefined; createId: () => string };

/** Stores a new, inactive version; with `activate`, puts it live too, which is a permission of its own. */
export async function add(
  commander: Commander,
  key: string,
  payload: AddPayload & CallOptions,
): Promise<Result<Answered<AddReply>>> {
  const bytes = utf8Length(payload.body);
  if (bytes > LIMITS.bodyBytes)
    return refuse("too_large", `The body has ${bytes} bytes, the limit is ${LIMITS.bodyBytes}.`, { key });
  const verb = payload.activate === undefined ? "add" : "add-activate";
  return command<AddReply>(commander, verb, key, payload, addReplySchema);
}

/** Points a label at a stored version. */
export function activate(
  commander: Commander,
  key: string,
  payload: ActivatePayload & CallOptions,
): Promise<Result<Answered<ActivateReply>>> {
  return command<ActivateReply>(commander, "activate", key, payload, activateReplySchema);
}

/** Takes a label away: the seed answers again, or nothing does. */
export function deactivate(
  commander: Commander,
  key: string,
  payload: DeactivatePayload & CallOptions,
): Promise<Result<Answered<DeactivateReply>>> {
  return command<DeactivateReply>(commander, "deactivate", key, payload, deactivateReplySchema);
}

/** Publishes the next version of a contract. */
export function publish(
  commander: Commander,
  name: string,
  payload: PublishPayload & CallOptions,
): Promise<Result<Answered<PublishReply>>> {
  return command<PublishReply>(commander, "publish", name, payload, publishReplySchema);
}

type Sent = { commandId?: string | undefined; wait?: number | undefined };

/** A registry replies to a command within five seconds, `unavailable` at worst; a little more for the way. */
const COMMAND_MS = 6_000;

/**
 * Sends a command under an id: all attempts of one call carry the same, so that a reply that got lost is given again
 * and nothing is done twice.
 */
async function command<T>(
  commander: Commander,
  verb: CommandVerb,
  key: string,
  { timeoutMs, retryNoResponders, ...payload }: Sent & CallOptions,
  reply: ReplySchema<T>,
): Promise<Result<Answered<T>>> {
  const { actor, subjects } = commander;
  const parsed = parseKey(key);
  if (!parsed.ok) return parsed;
  if (actor === undefined)
    return refuse("bad_request", "Commands carry who sends them: give createClient an `actor`.", { key });
  if (!ACTOR_PATTERN.test(actor))
    return refuse("bad_request", `${JSON.stringify(actor)} is not an actor: use A-Z a-z 0-9 _ -.`, { key });
  // What the registry waits for the renderers comes on top of what a command takes.
  const { wait = 0 } = payload;
  const body = { ...payload, commandId: payload.commandId ?? commander.createId() };
  return send(
    commander,
    {
      subject: subjects.command(actor, verb, parsed.value),
      template: `${subjects.prefix}.cmd`,
      body: () => body,
      reply,
      attemptMs: COMMAND_MS + wait,
      isCommand: true,
    },
    { timeoutMs: (timeoutMs ?? commander.timeoutMs) + wait, retryNoResponders },
  );
}
