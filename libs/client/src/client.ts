import { randomUUID } from "node:crypto";
import { nodePrimitives, type Bus, type ServiceInstance } from "@incipit/bus";
import { createSubjects, DEFAULT_PREFIX, DEFAULT_STREAM } from "@incipit/events";
import type {
  ActivatePayload,
  ActivateReply,
  ActivationItem,
  ActivationsPayload,
  ActivationsReply,
  AddPayload,
  AddReply,
  CheckPayload,
  CheckReply,
  ContractItem,
  ContractPayload,
  ContractReply,
  ContractsPayload,
  ContractsReply,
  DeactivatePayload,
  DeactivateReply,
  DependentItem,
  DependentsPayload,
  DependentsReply,
  DiffPayload,
  DiffReply,
  GetPayload,
  GetReply,
  LabelItem,
  LabelsPayload,
  LabelsReply,
  ListItem,
  ListPayload,
  ListReply,
  PublishPayload,
  PublishReply,
  ReferencePayload,
  ReferenceReply,
  Result,
  StatusPayload,
  StatusReply,
  VersionItem,
  VersionsPayload,
  VersionsReply,
} from "@incipit/schema";
import type { Answered, CallOptions } from "./call.ts";
import * as commands from "./commands.ts";
import { connect } from "./connect.ts";
import { readLog, type LogEntry, type LogOptions } from "./log.ts";
import { DEFAULT_TIMEOUT_MS, type ClientOptions } from "./options.ts";
import * as queries from "./queries.ts";
import type { QueryOptions } from "./queries.ts";
import { render, type FallbackText, type Rendered, type RenderOptions } from "./render.ts";

/** The result of a call: its value with the instance that answered, or a refusal. */
export type Answer<T> = Promise<Result<Answered<T>>>;

/**
 * Everything an agent, an admin or an auditor asks of the system. Methods that return a `Result` do not throw on a
 * refusal or an outage (`unwrap` makes them); the iterators throw `IncipitError`.
 */
export type Client = {
  /** Renders `key`, `key@3` or `key@staging`. With `fallback`, an outage gives that text, marked. */
  render: {
    (ref: string, options: RenderOptions & { fallback: string }): Promise<Result<Rendered | FallbackText>>;
    (ref: string, options?: RenderOptions & { fallback?: never }): Promise<Result<Rendered>>;
    (ref: string, options?: RenderOptions): Promise<Result<Rendered | FallbackText>>;
  };
  /** Stores a new, inactive version; with `activate`, puts it live too. */
  add: (key: string, payload: AddPayload & CallOptions) => Answer<AddReply>;
  /** Points a label (`production`) at a stored version. */
  activate: (key: string, payload: ActivatePayload & CallOptions) => Answer<ActivateReply>;
  /** Takes a label (`production`) away. */
  deactivate: (key: string, payload?: DeactivatePayload & CallOptions) => Answer<DeactivateReply>;
  /** Publishes the next version of a contract; only additions and what widens are accepted. */
  publish: (name: string, payload: PublishPayload & CallOptions) => Answer<PublishReply>;
  /** A version of a contract, the newest unless one is named. */
  contract: (name: string, options?: QueryOptions<ContractPayload>) => Answer<ContractReply>;
  /** One page of contracts, each in its newest version, by name. */
  contracts: (options?: QueryOptions<ContractsPayload>) => Answer<ContractsReply>;
  /** Every contract in its newest version, by name. */
  contractsAll: (options?: QueryOptions<ContractsPayload>) => AsyncGenerator<ContractItem>;
  /** What authors of templates read about a contract, as Markdown. */
  reference: (name: string, options?: QueryOptions<ReferencePayload>) => Answer<ReferenceReply>;
  /** What `add` would say of a body; nothing is stored. `key` null: it has none yet. */
  check: (key: string | null, options: QueryOptions<CheckPayload>) => Answer<CheckReply>;
  /** A version as written, byte for byte, with its settings. `ref`: `key`, `key@3` or `key@staging`. */
  get: (ref: string, options?: QueryOptions<GetPayload>) => Answer<GetReply>;
  /** One page of a key's versions, highest first. */
  versions: (key: string, options?: QueryOptions<VersionsPayload>) => Answer<VersionsReply>;
  /** Every version of a key, highest first. */
  versionsAll: (key: string, options?: QueryOptions<VersionsPayload>) => AsyncGenerator<VersionItem>;
  /** One page of moves of labels, of one key or (null) of all, newest first. */
  activations: (key: string | null, options?: QueryOptions<ActivationsPayload>) => Answer<ActivationsReply>;
  /** Every move of labels, of one key or (null) of all, newest first. */
  activationsAll: (
    key: string | null,
    options?: QueryOptions<ActivationsPayload>,
  ) => AsyncGenerator<ActivationItem>;
  /** What two versions of a key, or what its labels point at, differ in: unified diffs. */
  diff: (key: string, options: QueryOptions<DiffPayload>) => Answer<DiffReply>;
  /** One page of what includes a key, directly and through others, by key. */
  dependents: (key: string, options?: QueryOptions<DependentsPayload>) => Answer<DependentsReply>;
  /** Everything that includes a key, by key. */
  dependentsAll: (key: string, options?: QueryOptions<DependentsPayload>) => AsyncGenerator<DependentItem>;
  /** One page of labels, by name. */
  labels: (options?: QueryOptions<LabelsPayload>) => Answer<LabelsReply>;
  /** Every label that was ever moved, by name. */
  labelsAll: (options?: QueryOptions<LabelsPayload>) => AsyncGenerator<LabelItem>;
  /** One page of keys, in order; with `q` the best matches first. */
  list: (options?: QueryOptions<ListPayload>) => Answer<ListReply>;
  /** Every key, in order. */
  listAll: (options?: QueryOptions<ListPayload>) => AsyncGenerator<ListItem>;
  /** How the registry stands: log position, chain, counts, what was rejected. */
  status: (options?: QueryOptions<StatusPayload>) => Answer<StatusReply>;
  /** The log itself, read from the stream and verified message by message. */
  log: (options?: LogOptions) => AsyncGenerator<LogEntry>;
  /**
   * The running instances of a service (`incipit-registry`, `incipit-renderer`) that answer within `waitMs` (300); stops
   * waiting once `expected` have.
   */
  instances: (
    service: string,
    options?: { waitMs?: number; expected?: number },
  ) => Promise<ServiceInstance[]>;
  /**
   * Finishes what was sent and leaves; a bus that was handed in stays open. To use the client afterwards is a bug, and
   * throws an Error.
   */
  close: () => Promise<void>;
};

/**
 * Connects a client: to a URL, with options, or over a bus that is there already (`{ bus }`). Throws an
 * `IncipitError` that names the server: `unavailable` if it cannot be reached, `bad_request` if the options cannot be right
 * (an address that is none, a file that cannot be read). From then on the connection comes back by itself, for ever.
 */
export async function createClient(connectionOrOptions: string | ClientOptions = {}): Promise<Client> {
  const options: ClientOptions =
    typeof connectionOrOptions === "string" ? { servers: connectionOrOptions } : connectionOrOptions;
  if ("bus" in options) return clientOver(options.bus, options, () => Promise.resolve());
  const bus = await connect(options);
  return clientOver(bus, options, () => bus.close());
}

function clientOver(bus: Bus, options: ClientOptions, close: () => Promise<void>): Client {
  const subjects = createSubjects(options.prefix ?? DEFAULT_PREFIX);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw new Error("This client is closed.");
  };
  const commander: commands.Commander = {
    bus,
    subjects,
    timeoutMs,
    retryNoResponders: options.retryNoResponders ?? false,
    assertOpen,
    world: {
      now: () => performance.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      random: Math.random,
    },
    actor: options.actor,
    createId: randomUUID,
  };
  return {
    // One implementation behind the overloads: without `fallback` it never gives a FallbackText.
    render: ((ref: string, given?: RenderOptions) => render(commander, ref, given ?? {})) as Client["render"],
    add: (key, payload) => commands.add(commander, key, payload),
    activate: (key, payload) => commands.activate(commander, key, payload),
    deactivate: (key, payload = {}) => commands.deactivate(commander, key, payload),
    publish: (name, payload) => commands.publish(commander, name, payload),
    contract: (name, given = {}) => queries.contract(commander, name, given),
    contracts: (given = {}) => queries.contracts(commander, given),
    contractsAll: (given = {}) => queries.contractsAll(commander, given),
    reference: (name, given = {}) => queries.reference(commander, name, given),
    check: (key, given) => queries.check(commander, key, given),
    get: (ref, given = {}) => queries.get(commander, ref, given),
    versions: (key, given = {}) => queries.versions(commander, key, given),
    versionsAll: (key, given = {}) => queries.versionsAll(commander, key, given),
    activations: (key, given = {}) => queries.activations(commander, key, given),
    activationsAll: (key, given = {}) => queries.activationsAll(commander, key, given),
    diff: (key, given) => queries.diff(commander, key, given),
    dependents: (key, given = {}) => queries.dependents(commander, key, given),
    dependentsAll: (key, given = {}) => queries.dependentsAll(commander, key, given),
    labels: (given = {}) => queries.labels(commander, given),
    labelsAll: (given = {}) => queries.labelsAll(commander, given),
    list: (given = {}) => queries.list(commander, given),
    listAll: (given = {}) => queries.listAll(commander, given),
    status: (given = {}) => queries.status(commander, given),
    log: (given = {}) => {
      assertOpen();
      return readLog(
        bus.log({ stream: options.stream ?? DEFAULT_STREAM, subjects }),
        { timeoutMs, ...given },
        { primitives: nodePrimitives, subjects },
      );
    },
    instances: async (service, given = {}) => {
      assertOpen();
      return bus.discover(service, { waitMs: 300, ...given });
    },
    async close() {
      isClosed = true;
      await close();
    },
  };
}
