import {
  activationsReplySchema,
  checkReplySchema,
  contractReplySchema,
  contractsReplySchema,
  getReplySchema,
  listReplySchema,
  parseKey,
  parseRef,
  refuse,
  referenceReplySchema,
  statusReplySchema,
  versionsReplySchema,
  type ActivationItem,
  type ActivationsPayload,
  type ActivationsReply,
  type CheckPayload,
  type CheckReply,
  type ContractItem,
  type ContractPayload,
  type ContractReply,
  type ContractsPayload,
  type ContractsReply,
  type GetPayload,
  type GetReply,
  type ListItem,
  type ListPayload,
  type ListReply,
  type QueryVerb,
  type ReferencePayload,
  type ReferenceReply,
  type Result,
  type StatusPayload,
  type StatusReply,
  type VersionItem,
  type VersionsPayload,
  type VersionsReply,
} from "@incipit/schema";
import { send, waitFor, type Answered, type Caller, type CallOptions, type ReplySchema } from "./call.ts";
import { unwrap } from "./error.ts";

/** A query's payload together with how to send it; `timeoutMs` bounds the call, the wait for `minSeq` included. */
export type QueryOptions<Payload> = Omit<Payload, "timeoutMs"> & CallOptions;

/** A version as written, byte for byte, with its settings. `ref`: `key`, `key@3` or `key@staging`. */
export async function get(
  caller: Caller,
  refText: string,
  options: QueryOptions<GetPayload>,
): Promise<Result<Answered<GetReply>>> {
  const ref = parseRef(refText);
  if (!ref.ok) return ref;
  const { key, ...pointer } = ref.value;
  if (Object.keys(pointer).length > 0 && (options.version !== undefined || options.label !== undefined))
    return refuse("bad_request", `${refText}: give one of a version and a label, and give it once.`, { key });
  return query<GetReply>(caller, "get", key, { ...options, ...pointer }, getReplySchema);
}

/** One page of a key's versions, highest first. */
export function versions(caller: Caller, key: string, options: QueryOptions<VersionsPayload>) {
  return query<VersionsReply>(caller, "versions", key, options, versionsReplySchema);
}

/** One page of a key's moves of labels, newest first. */
export function activations(caller: Caller, key: string, options: QueryOptions<ActivationsPayload>) {
  return query<ActivationsReply>(caller, "activations", key, options, activationsReplySchema);
}

/** One page of keys, in order. */
export function list(caller: Caller, options: QueryOptions<ListPayload>) {
  return query<ListReply>(caller, "list", undefined, options, listReplySchema);
}

/** How the registry stands. */
export function status(caller: Caller, options: QueryOptions<StatusPayload>) {
  return query<StatusReply>(caller, "status", undefined, options, statusReplySchema);
}

/** A version of a contract, the newest unless one is named. */
export function contract(caller: Caller, name: string, options: QueryOptions<ContractPayload>) {
  return query<ContractReply>(caller, "contract", name, options, contractReplySchema);
}

/** Every contract in its newest version, by name. Throws `IncipitError` on a refusal. */
export async function* contractsAll(
  caller: Caller,
  options: QueryOptions<ContractsPayload>,
): AsyncGenerator<ContractItem> {
  for (let after = options.after; ;) {
    const page = unwrap(await contracts(caller, { ...options, ...(after !== undefined && { after }) }));
    yield* page.items;
    if (page.after === null) return;
    after = page.after;
  }
}

/** One page of contracts, each in its newest version, by name. */
export function contracts(caller: Caller, options: QueryOptions<ContractsPayload>) {
  return query<ContractsReply>(caller, "contracts", undefined, options, contractsReplySchema);
}

/** What authors of templates read about a contract, as Markdown. */
export function reference(caller: Caller, name: string, options: QueryOptions<ReferencePayload>) {
  return query<ReferenceReply>(caller, "reference", name, options, referenceReplySchema);
}

/** What `add` would say of a body; nothing is stored. `key` null: it has none yet. */
export function check(caller: Caller, key: string | null, options: QueryOptions<CheckPayload>) {
  return query<CheckReply>(caller, "check", key ?? undefined, options, checkReplySchema);
}

/** Every key, page after page. Throws `IncipitError` on a refusal. */
export async function* listAll(caller: Caller, options: QueryOptions<ListPayload>): AsyncGenerator<ListItem> {
  for (let after = options.after; ;) {
    const page = unwrap(await list(caller, { ...options, ...(after !== undefined && { after }) }));
    yield* page.items;
    if (page.after === null) return;
    after = page.after;
  }
}

/** Every version of a key, highest first. Throws `IncipitError` on a refusal. */
export async function* versionsAll(
  caller: Caller,
  key: string,
  options: QueryOptions<VersionsPayload>,
): AsyncGenerator<VersionItem> {
  for (let before = options.before; ;) {
    const page = unwrap(await versions(caller, key, { ...options, ...(before !== undefined && { before }) }));
    yield* page.items;
    if (page.before === null) return;
    before = page.before;
  }
}

/** Every move of a key's labels, newest first. Throws `IncipitError` on a refusal. */
export async function* activationsAll(
  caller: Caller,
  key: string,
  options: QueryOptions<ActivationsPayload>,
): AsyncGenerator<ActivationItem> {
  for (let before = options.before; ;) {
    const page = unwrap(
      await activations(caller, key, { ...options, ...(before !== undefined && { before }) }),
    );
    yield* page.items;
    if (page.before === null) return;
    before = page.before;
  }
}

async function query<T>(
  caller: Caller,
  verb: QueryVerb,
  key: string | undefined,
  { timeoutMs, retryNoResponders, minSeq, ...payload }: { minSeq?: number | undefined } & CallOptions,
  reply: ReplySchema<T>,
): Promise<Result<Answered<T>>> {
  const parsed = key === undefined ? null : parseKey(key);
  if (parsed?.ok === false) return parsed;
  return send(
    caller,
    {
      subject: caller.subjects.query(verb, parsed?.value),
      template: `${caller.subjects.prefix}.query`,
      body: (attemptMs) => ({ ...payload, ...waitFor(minSeq, attemptMs) }),
      reply,
    },
    { timeoutMs, retryNoResponders },
  );
}
