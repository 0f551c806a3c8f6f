import type { Primitives, Subjects } from "@incipit/events";
import {
  activatePayloadSchema,
  addPayloadSchema,
  COMMAND_VERBS,
  contractNameSchema,
  DEFAULT_LABEL,
  deactivatePayloadSchema,
  isWellFormed,
  ok,
  parseContract,
  parseWith,
  publishPayloadSchema,
  refuse,
  type AddPayload,
  type CommandVerb,
  type Result,
} from "@incipit/schema";
import { canonicalJson } from "../domain/canonical.ts";
import type { Activate, Add, Deactivate, Origin, Publish } from "../domain/commands.ts";

/** What a request can ask for: everything but seeds, which only the registry itself sends. */
export type RequestedCommand = Add | Activate | Deactivate | Publish;

/** A request: the command, and how long to wait for the renderers once it is done (null: not at all), in milliseconds. */
export type CommandRequest = { command: RequestedCommand; wait: number | null };

/** What parsing takes. */
export type ParseDeps = {
  subjects: Subjects;
  primitives: Primitives;
  newId: () => string;
  now: () => string;
};

/** Reads a request on `prompt.cmd.<actor>.<verb>.<key>`. A command without an id gets one here. */
export function parseCommand(subject: string, body: unknown, deps: ParseDeps): Result<CommandRequest> {
  const named = deps.subjects.parseCommand(subject);
  if (!named.ok) return named;
  const { actor, verb, key } = named.value;
  if (!isVerb(verb))
    return refuse(
      "bad_request",
      `${JSON.stringify(verb.slice(0, 60))} is not a command: use ${COMMAND_VERBS.join(", ")}.`,
      { key },
    );
  const command = parsePayload(
    verb,
    key,
    body,
    (payload) => originOf({ actor, verb, key, payload }, deps),
    deps,
  );
  if (command.ok || command.problem.key !== undefined) return command;
  return { ok: false, problem: { ...command.problem, key } };
}

type Payload = {
  commandId?: string | undefined;
  dryRun?: boolean | undefined;
  wait?: number | undefined;
};

function parsePayload(
  verb: CommandVerb,
  key: string,
  body: unknown,
  origin: (payload: Payload) => Origin,
  { primitives, now }: ParseDeps,
): Result<CommandRequest> {
  const what = `The payload of ${verb}`;
  if (!isWellFormed(body))
    return refuse("bad_request", `${what} holds half of a surrogate pair, which has no UTF-8.`);
  switch (verb) {
    case "add":
    case "add-activate": {
      const parsed = parseWith(addPayloadSchema, body, what);
      if (!parsed.ok) return parsed;
      const misplaced = refuseActivation(verb, parsed.value);
      if (misplaced !== null) return misplaced;
      const { body: text, kind, syntax, contract, onError, config, tags, ...rest } = parsed.value;
      return requested(parsed.value, {
        type: "add",
        key,
        body: text,
        hash: primitives.sha256(text),
        settings: { kind, syntax, contract, onError, config, tags },
        note: rest.note ?? "",
        expectNewest: rest.expectNewest,
        activate: rest.activate === true ? DEFAULT_LABEL : (rest.activate ?? null),
        expectActive: rest.expectActive,
        dryRun: rest.dryRun ?? false,
        now: now(),
        ...origin(parsed.value),
      });
    }
    case "activate": {
      const parsed = parseWith(activatePayloadSchema, body, what);
      if (!parsed.ok) return parsed;
      const { version, label = DEFAULT_LABEL, note = "", expectActive, dryRun = false } = parsed.value;
      return requested(parsed.value, {
        type: "activate",
        key,
        version,
        label,
        note,
        expectActive,
        dryRun,
        ...origin(parsed.value),
      });
    }
    case "deactivate": {
      const parsed = parseWith(deactivatePayloadSchema, body, what);
      if (!parsed.ok) return parsed;
      const { label = DEFAULT_LABEL, note = "" } = parsed.value;
      return requested(parsed.value, { type: "deactivate", key, label, note, ...origin(parsed.value) });
    }
    case "publish": {
      const parsed = parseWith(publishPayloadSchema, body, what);
      if (!parsed.ok) return parsed;
      const named = parseWith(contractNameSchema, key, "The contract's name");
      if (!named.ok) return named;
      const { document, note = "", expectVersion, dryRun = false } = parsed.value;
      const contract = parseContract(key, document);
      if (!contract.ok) return contract;
      return requested(parsed.value, {
        type: "publish",
        key,
        contract: contract.value,
        hash: primitives.sha256(canonicalJson(document)),
        note,
        expectVersion,
        dryRun,
        now: now(),
        ...origin(parsed.value),
      });
    }
  }
}

/** A dry run does nothing that could be waited for. */
function requested({ wait, dryRun }: Payload, command: RequestedCommand): Result<CommandRequest> {
  return ok({ command, wait: dryRun ? null : (wait ?? null) });
}

/**
 * Permissions see the subject, never the payload: whoever may only `add` must not put anything live by it. Null where the
 * payload says what its verb says.
 */
function refuseActivation(verb: "add" | "add-activate", payload: AddPayload) {
  if (verb === "add-activate")
    return payload.activate === undefined
      ? refuse(
          "bad_request",
          "add-activate needs `activate`, true or a label; add stores an inactive version.",
          {
            path: "activate",
          },
        )
      : null;
  const path = (["activate", "expectActive", "wait"] as const).find((name) => payload[name] !== undefined);
  if (path === undefined) return null;
  return refuse("bad_request", `add never activates: send a command with \`${path}\` as add-activate.`, {
    path,
  });
}

/** Who sent what: the hash covers everything that makes a command this very command. */
function originOf(
  sent: { actor: string; verb: string; key: string; payload: Payload },
  { primitives, newId }: ParseDeps,
): Origin {
  const { commandId, dryRun: _, wait: __, ...payload } = sent.payload;
  // In both verbs of an add the payload says which it is. Logs hold hashes of when there was the one: they stay good.
  const verb = sent.verb === "add-activate" ? "add" : sent.verb;
  const commandHash = primitives.sha256(canonicalJson({ ...sent, verb, payload }));
  return { actor: sent.actor, commandId: commandId ?? newId(), commandHash };
}

function isVerb(verb: string): verb is CommandVerb {
  return (COMMAND_VERBS as readonly string[]).includes(verb);
}
