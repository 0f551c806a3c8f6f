import { ok, type CheckReply, type checkPayloadSchema, type Result } from "@incipit/schema";
import { listVariables, parseTemplate } from "@incipit/templates";
import type { Add } from "../domain/commands.ts";
import { decideAdd } from "../domain/add.ts";
import type { Parse } from "../domain/language.ts";
import type { Projection } from "../projection/projection.ts";

type Payload = ReturnType<typeof checkPayloadSchema.parse>;

/** Stands for the key of a body that is to have none yet; no template can include it by accident. */
const NO_KEY = "_unnamed_";

/** Characters of all variables that a reply lists: nested loops over long names may have paths of many megabytes. */
const VARIABLES_LENGTH = 200_000;

/** `check`: what `add` would say of a body, with `label` as if it were activated too. Nothing is stored. */
export function checkBodyOf(
  { loadFacts }: Projection,
  key: string | null,
  { body, syntax, kind, contract, label }: Payload,
  parse: Parse,
): Result<CheckReply> {
  const command: Add = {
    type: "add",
    key: key ?? NO_KEY,
    body,
    // Nothing equals it: an unchanged body is judged as well.
    hash: "",
    settings: { kind, syntax, contract },
    note: "",
    expectNewest: undefined,
    expectActive: undefined,
    activate: label ?? null,
    dryRun: true,
    now: "",
    actor: "check",
    commandId: "",
    commandHash: "",
  };
  const facts = loadFacts(command);
  const decided = decideAdd(facts, command, parse);
  const inherited = syntax ?? facts.newest?.syntax ?? facts.seed?.syntax ?? "handlebars";
  const parsed = parseTemplate(body, inherited);
  const variables = parsed.ok ? firstOf(listVariables(parsed.value)) : [];
  if (!decided.ok) {
    const { findings } = decided.problem;
    return findings === undefined ? decided : ok({ findings: [...findings], warnings: [], variables });
  }
  const { value } = decided;
  return ok({ findings: [], warnings: value.type === "reply" ? value.reply.warnings : [], variables });
}

function firstOf(variables: readonly string[]): string[] {
  let length = 0;
  return variables.filter((variable) => (length += variable.length) <= VARIABLES_LENGTH);
}
