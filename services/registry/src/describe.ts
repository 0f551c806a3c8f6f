import type { RpcRequest } from "@incipit/bus";
import type { Subjects } from "@incipit/events";
import type { Result } from "@incipit/schema";
import type { Attributes } from "@opentelemetry/api";

/** What a span says of a command or a query and its answer: names and numbers, never a body. Pure. */
function describeAnswer(
  named: Result<{ verb: string; key: string | null }>,
  result: Result<unknown>,
): Attributes {
  const attributes: Attributes = {};
  if (named.ok) {
    attributes["incipit.verb"] = named.value.verb;
    if (named.value.key !== null) attributes["gen_ai.prompt.name"] = named.value.key;
  }
  if (result.ok && typeof result.value === "object" && result.value !== null) {
    const { version, label, activated, seq, changed, unchanged } = result.value as Record<string, unknown>;
    if (typeof version === "number") attributes["gen_ai.prompt.version"] = String(version);
    const under = typeof label === "string" ? label : activated;
    if (typeof under === "string") attributes["incipit.label"] = under;
    if (typeof seq === "number") attributes["incipit.seq"] = seq;
    if (typeof changed === "boolean") attributes["incipit.changed"] = changed;
    if (unchanged === true) attributes["incipit.changed"] = false;
  }
  return attributes;
}

/** The same, from the request of a command. */
export function describeCommand(subjects: Subjects) {
  return ({ subject }: RpcRequest, result: Result<unknown>) =>
    describeAnswer(subjects.parseCommand(subject), result);
}

/** The same, from the request of a query. */
export function describeQuery(subjects: Subjects) {
  return ({ subject }: RpcRequest, result: Result<unknown>) =>
    describeAnswer(subjects.parseQuery(subject), result);
}
