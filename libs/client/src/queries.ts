import {
  activationsReplySchema,
  checkReplySchema,
  contractReplySchema,
  contractsReplySchema,
  dependentsReplySchema,
  diffReplySchema,
  getReplySchema,
  labelsReplySchema,
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
  type DependentItem,
  type DependentsPayload,
  type DependentsReply,
  type DiffPayload,
  type DiffReply,
  type GetPayload,
  type GetReply,
  type LabelItem,
  type LabelsPayload,
  type LabelsReply,
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

/** One page of moves of labels, of one key or (null) of all, newest first. */
export function activations(caller: Caller, key: string | null, options: QueryOptions<ActivationsPayload>) {
  return query<ActivationsReply>(caller, "activations", key ?? undefined, options, activationsReplySchema);
}

/** One page of keys, in order. */
export function list(caller: Caller, options: QueryOptions<ListPayload>) {
  return query<ListReply>(caller, "list", undefined, options, listReplySchema);
}

/** One page of labels, by name. */
export function labels(caller: Caller, options: QueryOptions<LabelsPayload>) {
  return query<LabelsReply>(caller, "labels", undefined, options, labelsReplySchema);
}

/** What two versions of a key differ in. */
export function diff(caller: Caller, key: string, options: QueryOptions<DiffPayload>) {
  return query<DiffReply>(caller, "diff", key, options, diffReplySchema);
}

/** One page of what includes a key, directly and through others, by key. */
export function dependents(caller: Caller, key: string, options: QueryOptions<DependentsPayload>) {
  return query<DependentsReply>(caller, "dependents", key, options, dependentsReplySchema);
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
export function contractsAll(
  caller: Caller,
  options: QueryOptions<ContractsPayload>,
): AsyncGenerator<ContractItem> {
  return everyPage((after) => contracts(caller, { ...options, after: after ?? options.after }));
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
export function listAll(caller: Caller, options: QueryOptions<ListPayload>): AsyncGenerator<ListItem> {
  return everyPage((after) => list(caller, { ...options, after: after ?? options.after }));
}

/** Every label, by name. Throws `IncipitError` on a refusal. */
export function labelsAll(caller: Caller, options: QueryOptions<LabelsPayload>): AsyncGenerator<LabelItem> {
  return everyPage((after) => labels(caller, { ...options, after: after ?? options.after }));
}

/** Everything that includes a key, by key. Throws `IncipitError` on a refusal. */
export function dependentsAll(
  caller: Caller,
  key: string,
  options: QueryOptions<DependentsPayload>,
): AsyncGenerator<DependentItem> {
  return everyPage((after) => dependents(caller, key, { ...options, after: after ?? options.after }));
}

/** Every version of a key, highest first. Throws `IncipitError` on a refusal. */
export function versionsAll(
  caller: Caller,
  key: string,
  options: QueryOptions<VersionsPayload>,
): AsyncGenerator<VersionItem> {
  return everyPage(
    (before) => versions(caller, key, { ...options, before: before ?? options.before }),
    (page) => page.before,
  );
}

/** Every move of labels, of one key or (null) of all, newest first. Throws `IncipitError` on a refusal. */
export function activationsAll(
  caller: Caller,
  key: string | null,
  options: QueryOptions<ActivationsPayload>,
): AsyncGenerator<ActivationItem> {
  return everyPage(
    (before) => activations(caller, key, { ...options, before: before ?? options.before }),
    (page) => page.before,
  );
}

/** The items of page after page; a page is asked for with the cursor of the one before. */
function everyPage<Item>(
  ask: (cursor: string | undefined) => Promise<Result<{ items: Item[]; after: string | null }>>,
): AsyncGenerator<Item>;
function everyPage<Item, Page extends { items: Item[] }>(
  ask: (cursor: number | undefined) => Promise<Result<Page>>,
  cursorOf: (page: Page) => number | null,
): AsyncGenerator<Item>;
async function* everyPage<Item, Cursor>(
  ask: (cursor: Cursor | undefined) => Promise<Result<{ items: Item[]; after: Cursor | null }>>,
  cursorOf: (page: { items: Item[]; after: Cursor | null }) => Cursor | null = (page) => page.after,
): AsyncGenerator<Item> {
  for (let cursor: Cursor | null | undefined = undefined; cursor !== null;) {
    const page: { items: Item[]; after: Cursor | null } = unwrap(await ask(cursor));
    yield* page.items;
    cursor = cursorOf(page);
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
