import { createMemoryLog, nodePrimitives, silentLogger, type EventLog, type Logger } from "@incipit/bus";
import type { ErrorCode, Problem, Result } from "@incipit/schema";
import { newId } from "../src/new-id.ts";
import { startRegistry, type RegistryOptions, type RegistryPorts } from "../src/service.ts";
import { subjects } from "./records.ts";

/** A registry on a log, called as the bus would call it: what goes in and comes out has been JSON. */
export async function startOn(
  log: EventLog,
  options: Partial<RegistryOptions> & { logger?: Logger; ports?: Partial<RegistryPorts>; name?: string } = {},
) {
  const { logger = silentLogger, ports, name = "test", ...rest } = options;
  const registry = await startRegistry(
    {
      log,
      subjects,
      primitives: nodePrimitives,
      logger,
      newId,
      now: () => new Date().toISOString(),
      askRenderers: () => Promise.resolve([]),
      server: () => ({ version: "2.12.12", warnings: [] }),
      instance: () => name,
      ...ports,
    },
    { db: ":memory:", ...rest },
  );
  async function call(subject: string, body: unknown): Promise<Result<unknown>> {
    const verb = subject.startsWith(`${subjects.prefix}.cmd.`) ? "command" : "query";
    const endpoint = registry.endpoints.find(({ name: endpointName }) => endpointName === verb);
    if (endpoint === undefined) throw new Error(`nobody answers on ${subject}`);
    const result = await endpoint.handler({ subject, body: JSON.parse(JSON.stringify(body)) as unknown });
    return JSON.parse(JSON.stringify(result)) as Result<unknown>;
  }
  async function value(subject: string, body: unknown): Promise<Record<string, unknown>> {
    const result = await call(subject, body);
    if (!result.ok)
      throw new Error(`${subject} was refused: ${result.problem.code}: ${result.problem.message}`);
    return result.value as Record<string, unknown>;
  }
  async function refusal(subject: string, body: unknown): Promise<Problem> {
    const result = await call(subject, body);
    if (result.ok) throw new Error(`${subject} was not refused: ${JSON.stringify(result.value)}`);
    return result.problem;
  }
  /** As the client sends it: what activates has a verb of its own. */
  const command = (verb: string, key: string, body: { activate?: unknown }) =>
    subjects.command("alice", verb === "add" && body.activate !== undefined ? "add-activate" : verb, key);
  return {
    stop: registry.stop,
    readiness: registry.readiness,
    call,
    value,
    refusal,
    refused: async (subject: string, body: unknown): Promise<ErrorCode> =>
      (await refusal(subject, body)).code,
    command: (verb: string, key: string, body: object) => value(command(verb, key, body), body),
    tryCommand: (verb: string, key: string, body: object) => call(command(verb, key, body), body),
    query: (verb: string, key: string | undefined, body: object = {}) =>
      value(subjects.query(verb, key), body),
  };
}

export type TestRegistry = Awaited<ReturnType<typeof startOn>>;

/** A registry on a log of its own, in memory. */
export async function startAlone(options: Parameters<typeof startOn>[1] = {}) {
  const { log, controls } = createMemoryLog();
  return { log, controls, registry: await startOn(log, options) };
}

/** Every answer that can be had of what a registry holds, as one text. */
export async function dump(registry: TestRegistry): Promise<string> {
  const answers: unknown[] = [];
  const keys: string[] = [];
  for (let after: string | null | undefined = undefined; after !== null;) {
    const page = await registry.query("list", undefined, { limit: 7, ...(after !== undefined && { after }) });
    answers.push(page);
    keys.push(...(page["items"] as { key: string }[]).map(({ key }) => key));
    after = page["after"] as string | null;
  }
  for (const key of keys) {
    const versions = await registry.query("versions", key, { limit: 200 });
    answers.push(versions, await registry.query("activations", key, { limit: 200 }));
    const numbers = (versions["items"] as { version: number }[]).map(({ version }) => version);
    for (const version of [...numbers, 0])
      answers.push(await registry.call(subjects.query("get", key), { version }));
    for (const label of ["production", "staging"])
      for (const at of [undefined, 3, 10])
        answers.push(await registry.call(subjects.query("get", key), { label, at, timeoutMs: 0 }));
    answers.push(
      await registry.query("dependents", key),
      await registry.call(subjects.query("diff", key), { from: 1, to: "production" }),
    );
  }
  for (const q of ["body", "x*", "a"]) answers.push(await registry.query("list", undefined, { q }));
  for (const verb of ["labels", "activations", "status"]) answers.push(await registry.query(verb, undefined));
  return JSON.stringify(answers);
}
