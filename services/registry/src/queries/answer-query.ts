import type { Subjects } from "@incipit/events";
import {
  activationsPayloadSchema,
  checkPayloadSchema,
  contractPayloadSchema,
  contractsPayloadSchema,
  dependentsPayloadSchema,
  diffPayloadSchema,
  getPayloadSchema,
  labelsPayloadSchema,
  listPayloadSchema,
  ok,
  parseWith,
  QUERY_VERBS,
  refuse,
  referencePayloadSchema,
  statusPayloadSchema,
  versionsPayloadSchema,
  type QueryVerb,
  type Result,
  type StatusReply,
} from "@incipit/schema";
import type { Store } from "../projection/store.ts";
import type { Parse } from "../domain/language.ts";
import { checkBodyOf } from "./check.ts";
import { queriesOn } from "./queries.ts";

/** What answering takes. */
export type QueryDeps = {
  subjects: Subjects;
  store: Store;
  parse: Parse;
  status: () => Promise<StatusReply>;
};

/** What every query may ask for: a position to wait for, and for how long. */
type Waiting = {
  minSeq?: number | undefined;
  timeoutMs?: number | undefined;
  /** A position to look at has to be applied as well. */
  at?: number | string | undefined;
};

/** How long a query waits for `minSeq` unless it says so, in milliseconds. */
const DEFAULT_WAIT_MS = 2_000;

/** Answers a request on `prompt.query.<verb>[.<key>]`, once this instance has applied the position it asks for. */
export async function answerQuery(subject: string, body: unknown, deps: QueryDeps): Promise<Result<unknown>> {
  const named = deps.subjects.parseQuery(subject);
  if (!named.ok) return named;
  const { verb, key } = named.value;
  if (!isVerb(verb))
    return refuse(
      "bad_request",
      `${JSON.stringify(verb.slice(0, 60))} is not a query: use ${QUERY_VERBS.join(", ")}.`,
    );
  const result = await answer(verb, key, body, deps);
  if (result.ok || key === null || result.problem.key !== undefined) return result;
  return { ok: false, problem: { ...result.problem, key } };
}

function answer(
  verb: QueryVerb,
  key: string | null,
  body: unknown,
  { store, parse, status }: QueryDeps,
): Result<unknown> | Promise<Result<unknown>> {
  const queries = () => queriesOn(store.current());
  /** Parses, waits, and then runs the query. */
  async function run<P extends Waiting>(
    schema: Parameters<typeof parseWith<P>>[0],
    query: (payload: P) => Result<unknown> | Promise<Result<unknown>>,
  ): Promise<Result<unknown>> {
    const payload = parseWith(schema, body, `The payload of ${verb}`);
    if (!payload.ok) return payload;
    return (await notCaughtUp(payload.value, store)) ?? query(payload.value);
  }

  switch (verb) {
    case "check":
      return run(checkPayloadSchema, (payload) => checkBodyOf(store.current(), key, payload, parse));
    case "activations":
      return run(activationsPayloadSchema, (payload) => queries().activations(key, payload));
    case "list":
    case "labels":
    case "status":
    case "contracts":
      if (key !== null) return refuse("bad_request", `A ${verb} query names no key in its subject.`);
      if (verb === "list") return run(listPayloadSchema, (payload) => queries().list(payload));
      if (verb === "labels") return run(labelsPayloadSchema, (payload) => ok(queries().labels(payload)));
      if (verb === "contracts")
        return run(contractsPayloadSchema, (payload) => ok(queries().contracts(payload)));
      return run(statusPayloadSchema, async () => ok(await status()));
    default:
      return key === null
        ? refuse("bad_request", `A ${verb} query names a key in its subject: ${verb}.<key>.`)
        : answerOf(verb, key);
  }

  function answerOf(verb: KeyedVerb, key: string): Promise<Result<unknown>> {
    switch (verb) {
      case "get":
        return run(getPayloadSchema, (payload) => queries().get(key, payload));
      case "diff":
        return run(diffPayloadSchema, (payload) => queries().diff(key, payload));
      case "dependents":
        return run(dependentsPayloadSchema, (payload) => queries().dependents(key, payload));
      case "versions":
        return run(versionsPayloadSchema, (payload) => queries().versions(key, payload));
      case "contract":
        return run(contractPayloadSchema, (payload) => queries().contract(key, payload));
      case "reference":
        return run(referencePayloadSchema, () => queries().reference(key));
    }
  }
}

/** The queries that are about one key, or one contract. */
type KeyedVerb = Exclude<QueryVerb, "activations" | "check" | "list" | "labels" | "status" | "contracts">;

/** Waits for the position a query asks for; a refusal where it is not reached in time, else null. */
async function notCaughtUp({ minSeq = 0, timeoutMs = DEFAULT_WAIT_MS, at }: Waiting, store: Store) {
  const position = Math.max(minSeq, typeof at === "number" ? at : 0);
  if (await store.reached(position, timeoutMs)) return null;
  return refuse(
    "not_caught_up",
    `Log position ${position} was asked for (${position === minSeq ? "minSeq" : "at"}); this instance is at ${store.seq()}. Ask again or wait longer (timeoutMs), ` +
      "unless the log has no such position.",
  );
}

function isVerb(verb: string): verb is QueryVerb {
  return (QUERY_VERBS as readonly string[]).includes(verb);
}
