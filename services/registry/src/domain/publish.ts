import {
  compareContracts,
  ok,
  problem,
  type AffectedTemplate,
  type Contract,
  type Finding,
  type PublishReply,
  type Result,
} from "@incipit/schema";
import type { Decision, Publish } from "./commands.ts";
import { checkAgainst } from "./contract-check.ts";
import type { Facts, Included, View } from "./facts.ts";
import { refuse, refuseExpectation, refuseReuse } from "./refusals.ts";

/** Templates that a reply lists at most, and findings of each: it must fit into one message of the bus. */
const LISTED_TEMPLATES = 100;
const LISTED_FINDINGS = 3;
/** Findings of a reply that show a context: each may take some kilobytes, and is searched for while all else waits. */
const SHOWN_WITNESSES = 20;
/** Changes that a refusal names. */
const LISTED_CHANGES = 8;

/**
 * `publish`: stores the next version of a contract, unless it takes away what callers or templates rely on. The reply lists the
 * active templates that no longer pass: they go on rendering where they can, and are refused at their next edit.
 */
export function decidePublish(facts: Facts, command: Publish): Result<Decision<PublishReply>> {
  const { key: name, contract, hash, note } = command;
  const reused = refuseReuse(facts, command);
  if (reused !== null) return reused;
  const { published } = facts;
  if (published !== null) {
    const { version, seq, created, before } = published;
    const widened = before !== null && compareContracts(before, contract).widened.length > 0;
    return reply(command, true, { version, seq, created, ...affectedBy(facts, contract, widened) });
  }
  const newest = facts.contracts.get(name) ?? null;
  const unexpected = refuseExpectation(
    name,
    "expectVersion",
    "The newest version",
    command.expectVersion,
    newest?.version ?? null,
  );
  if (unexpected !== null) return unexpected;
  if (newest?.hash === hash) {
    const { version, seq, created } = newest;
    return reply(command, false, { version, seq, created, unchanged: true, affected: [], affectedCount: 0 });
  }
  let widened = false;
  if (newest !== null) {
    if (newest.contract === null)
      return refuse(
        "unavailable",
        `This release cannot read version ${newest.version} of the contract ${name}, so that nothing can be compared with it.`,
        name,
      );
    const compared = compareContracts(newest.contract, contract);
    const [first] = compared.narrowed;
    if (first !== undefined) return refuseNarrowed(name, newest.version, compared.narrowed);
    widened = compared.widened.length > 0;
  }
  const version = (newest?.version ?? 0) + 1;
  if (command.dryRun)
    return reply(command, false, {
      version,
      seq: facts.position,
      created: command.now,
      ...affectedBy(facts, contract, widened),
    });
  return ok({
    type: "append",
    events: [
      {
        type: "ContractPublished",
        // Parsed from JSON, and accepted by `parseContract`: an object of JSON.
        data: { name, version, document: documentOf(contract), note, hash },
      },
    ],
  });
}

type EventDocument = Extract<
  Extract<Decision, { type: "append" }>["events"][number],
  { type: "ContractPublished" }
>["data"]["document"];

const documentOf = ({ document }: Contract): EventDocument => document as unknown as EventDocument;

function refuseNarrowed(
  name: string,
  version: number,
  narrowed: readonly { path: string; message: string }[],
): { ok: false; problem: ReturnType<typeof problem> } {
  const shown = narrowed
    .slice(0, LISTED_CHANGES)
    .map(({ path, message }) => (path === "" ? message : `${path} ${message}`));
  if (narrowed.length > shown.length) shown.push(`and ${narrowed.length - shown.length} more`);
  const path = narrowed[0]?.path ?? "";
  return {
    ok: false,
    problem: problem(
      "contract_narrowed",
      `The contract ${name} may only be added to, and is narrower than its version ${version}: ${shown.join("; ")}. Keep ` +
        "what there was, or publish under another name.",
      { key: name, ...(path === "" ? {} : { path }) },
    ),
  };
}

/** Who no longer passes. What is only added concerns no template that there is. */
function affectedBy(
  { contractUsers }: Facts,
  contract: Contract,
  widened: boolean,
): Pick<PublishReply, "affected" | "affectedCount"> {
  if (!widened) return { affected: [], affectedCount: 0 };
  const affected = contractUsers.filter(
    ({ user, view }) => findingsOf(user, view, contract, false).length > 0,
  );
  let shown = 0;
  const listed = affected.slice(0, LISTED_TEMPLATES).map(({ user, view }): AffectedTemplate => {
    const findings = findingsOf(user, view, contract, shown < SHOWN_WITNESSES).slice(0, LISTED_FINDINGS);
    shown += findings.length;
    return { key: user.key, version: user.version, label: view.label, findings };
  });
  return { affected: listed, affectedCount: affected.length };
}

function findingsOf(user: Included, view: View, contract: Contract, witnesses: boolean): readonly Finding[] {
  return user.source === null
    ? []
    : checkAgainst(user.key, user.source, view, contract, { witnesses }).findings;
}

function reply(
  { key: name, hash, dryRun }: Publish,
  settled: boolean,
  rest: Omit<PublishReply, "name" | "hash" | "warnings" | "dryRun">,
): Result<Decision<PublishReply>> {
  return ok({
    type: "reply",
    settled,
    reply: { name, hash, ...rest, warnings: [], ...(dryRun && { dryRun: true as const }) },
  });
}
