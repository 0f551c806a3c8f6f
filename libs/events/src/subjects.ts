import {
  ACTOR_PATTERN,
  contractNameSchema,
  isKey,
  LABEL_PATTERN,
  ok,
  parseKey,
  refuse,
  type Result,
} from "@incipit/schema";
import type { PromptEvent } from "./catalogue.ts";

/** The default of `INCIPIT_PREFIX`: the first token of every subject. */
export const DEFAULT_PREFIX = "prompt";
/** The default of `INCIPIT_STREAM`. */
export const DEFAULT_STREAM = "PROMPTS";

/** Headers of ours and of NATS's that cross the wire. */
export const HEADERS = {
  /** The Ed25519 signature over the chain hash: `<public key>.<base64url>`. */
  signature: "Incipit-Signature",
  /** The service instance that answered. */
  instance: "Incipit-Instance",
  errorCode: "Nats-Service-Error-Code",
  error: "Nats-Service-Error",
} as const;

/** A key as subject tokens: `/` becomes `.`. A bijection, since no key holds a dot. */
export function keyToTokens(key: string): string {
  return key.replaceAll("/", ".");
}

/** The key that subject tokens stand for, or `bad_key`. */
export function tokensToKey(tokens: string): Result<string> {
  return tokens.includes("/")
    ? refuse(
        "bad_key",
        `${JSON.stringify(tokens.slice(0, 60))} is not a key on the bus: write "." for "/" there.`,
      )
    : parseKey(tokens.replaceAll(".", "/"));
}

/** What a subject of the log says about its message. */
export type LogSubject =
  | { kind: "version"; key: string; version: number }
  | { kind: "seed"; key: string }
  | { kind: "active"; key: string; label: string }
  | { kind: "contract"; name: string };

/** The whole subject grammar under one prefix: builds, parses and rejects. */
export type Subjects = ReturnType<typeof createSubjects>;

/** Builds the grammar. `prefix` is one subject token. */
export function createSubjects(prefix: string = DEFAULT_PREFIX) {
  const log = `${prefix}.log`;
  const live = `${prefix}.live`;

  function logOf(event: PromptEvent): string {
    switch (event.type) {
      case "TemplateAdded":
        return event.data.version === 0 ? seed(event.data.key) : version(event.data.key, event.data.version);
      case "TemplateActivated":
      case "TemplateDeactivated":
        return active(event.data.key, event.data.label);
      case "ContractPublished":
        return `${log}.now.contract.${event.data.name}`;
    }
  }
  const version = (key: string, n: number) => `${log}.version.${n}.${keyToTokens(key)}`;
  const seed = (key: string) => `${log}.now.seed.${keyToTokens(key)}`;
  const active = (key: string, label: string) => `${log}.now.active.${label}.${keyToTokens(key)}`;

  /** Reads a subject of the log; null where it is none of ours. */
  function parseLog(subject: string): LogSubject | null {
    if (!subject.startsWith(`${log}.`)) return null;
    const tokens = subject.slice(log.length + 1).split(".");
    const keyFrom = (at: number) => {
      const key = tokens.slice(at).join("/");
      return isKey(key) ? key : null;
    };
    if (tokens[0] === "version" && tokens[1] !== undefined && /^[1-9][0-9]{0,8}$/.test(tokens[1])) {
      const key = keyFrom(2);
      return key === null ? null : { kind: "version", key, version: Number(tokens[1]) };
    }
    if (tokens[0] !== "now") return null;
    if (tokens[1] === "seed") {
      const key = keyFrom(2);
      return key === null ? null : { kind: "seed", key };
    }
    if (tokens[1] === "active" && tokens[2] !== undefined && LABEL_PATTERN.test(tokens[2])) {
      const key = keyFrom(3);
      return key === null ? null : { kind: "active", key, label: tokens[2] };
    }
    if (tokens[1] === "contract" && tokens.length === 3 && contractNameSchema.safeParse(tokens[2]).success)
      return { kind: "contract", name: tokens[2] as string };
    return null;
  }

  /** Reads `prompt.cmd.<actor>.<verb>.<key>`. */
  function parseCommand(subject: string): Result<{ actor: string; verb: string; key: string }> {
    const [actor = "", verb = "", ...rest] = subject.slice(`${prefix}.cmd.`.length).split(".");
    if (!ACTOR_PATTERN.test(actor))
      return refuse(
        "bad_request",
        `${JSON.stringify(actor.slice(0, 60))} is not an actor: use A-Z a-z 0-9 _ -.`,
      );
    if (verb === "")
      return refuse("bad_request", `The subject names no verb: ${prefix}.cmd.<actor>.<verb>.<key>.`);
    const key = tokensToKey(rest.join("."));
    return key.ok ? ok({ actor, verb, key: key.value }) : key;
  }

  /** Reads `prompt.query.<verb>[.<key>]`; the key is null where the subject has none. */
  function parseQuery(subject: string): Result<{ verb: string; key: string | null }> {
    const [verb = "", ...rest] = subject.slice(`${prefix}.query.`.length).split(".");
    if (rest.length === 0) return ok({ verb, key: null });
    const key = tokensToKey(rest.join("."));
    return key.ok ? ok({ verb, key: key.value }) : key;
  }

  return {
    prefix,
    /** Everything of the log: the stream's subjects. */
    logAll: `${log}.>`,
    /** What a renderer must know: read last-per-subject, it is the present state. */
    logNow: `${log}.now.>`,
    /** Where the stream republishes what it stored. */
    liveAll: `${live}.>`,
    logOf,
    logVersion: version,
    /** Every stored version of a key: a wildcard. */
    logVersionsOf: (key: string) => `${log}.version.*.${keyToTokens(key)}`,
    logSeed: seed,
    logActive: active,
    parseLog,
    /** The subject under which a stored message is republished. */
    liveOf: (logSubject: string) => live + logSubject.slice(log.length),
    commandAll: `${prefix}.cmd.>`,
    command: (actor: string, verb: string, key: string) =>
      `${prefix}.cmd.${actor}.${verb}.${keyToTokens(key)}`,
    parseCommand,
    queryAll: `${prefix}.query.>`,
    query: (verb: string, key?: string) =>
      `${prefix}.query.${verb}${key === undefined ? "" : `.${keyToTokens(key)}`}`,
    parseQuery,
    renderAll: `${prefix}.render.>`,
    render: (key: string) => `${prefix}.render.${keyToTokens(key)}`,
    /** Reads `prompt.render.<key>`. */
    parseRender: (subject: string): Result<string> => tokensToKey(subject.slice(`${prefix}.render.`.length)),
  };
}
