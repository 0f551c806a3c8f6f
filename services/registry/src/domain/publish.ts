import {
  compareContracts,
  type ContractComparison,
  isReadWhole,
  ok,
  problem,
  refuseUnreadable,
  type AffectedTemplate,
  type Contract,
  type PublishReply,
  type Result,
} from "@incipit/schema";
import { refuseTwin } from "./add.ts";
import type { Decision, Publish } from "./commands.ts";
import { checkAgainst } from "./contract-check.ts";
import type { ContractUser, Facts } from "./facts.ts";
import { refuseExpectation, refuseReuse } from "./refusals.ts";

/** Templates that a reply lists at most, and findings of each: it must fit into one message of the bus. */
const LISTED_TEMPLATES = 100;
const LISTED_FINDINGS = 3;
/** Findings of a reply that show a context: each may take some kilobytes, and is searched for while all else waits. */
const SHOWN_WITNESSES = 20;
/** Changes that a refusal names. */
const LISTED_CHANGES = 8;
/** Characters of a path that a refusal shows. */
const LONGEST_PATH = 200;

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
    const users = before === null ? [] : concernedBy(facts, contract, compareContracts(before, contract));
    return reply(command, true, { version, seq, created, ...affectedOf(users, before, contract) });
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
  const twin = newest === null ? refuseTwin(facts, name) : null;
  if (twin !== null) return twin;
  if (newest?.hash === hash) {
    const { version, seq, created } = newest;
    return reply(command, false, { version, seq, created, unchanged: true, affected: [], affectedCount: 0 });
  }
  let users: readonly Checked[] = [];
  if (newest !== null) {
    if (newest.contract === null) return refuseUnreadable(name, newest.version);
    const compared = compareContracts(newest.contract, contract);
    const [first] = compared.narrowed;
    if (first !== undefined) return refuseNarrowed(name, newest.version, compared.narrowed);
    users = concernedBy(facts, contract, compared);
    const noticed = refuseShown(contract, compared, users);
    if (noticed !== null) return noticed;
  }
  const version = (newest?.version ?? 0) + 1;
  if (command.dryRun)
    return reply(command, false, {
      version,
      seq: facts.position,
      created: command.now,
      ...affectedOf(users, newest?.contract ?? null, contract),
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
    .map(({ path, message }) => (path === "" ? message : `${path.slice(0, LONGEST_PATH)} ${message}`));
  if (narrowed.length > shown.length) shown.push(`and ${narrowed.length - shown.length} more`);
  const path = (narrowed[0]?.path ?? "").slice(0, LONGEST_PATH);
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

/** An active template, and what checking it against the contract in work tells. */
type Checked = ContractUser & Pick<ReturnType<typeof checkAgainst>, "findings" | "reads">;

/** The active templates that what is new or wider could concern: a loop over an object meets its new fields too. */
function concernedBy(
  { contractUsers }: Facts,
  contract: Contract,
  { widened, added, shown }: ContractComparison,
): readonly Checked[] {
  if (widened.length + added.length + shown.length === 0) return [];
  return contractUsers.map(({ user, view }) => ({ user, view, ...check({ user, view }, contract, false) }));
}

function check({ user, view }: ContractUser, contract: Contract, witnesses: boolean) {
  return checkAgainst(user.key, user.source, view, contract, { witnesses });
}

/** Who shows all of an object would notice what others do not. */
function refuseShown(contract: Contract, { shown }: ContractComparison, users: readonly Checked[]) {
  const { name, root } = contract;
  for (const { path, owner, message: why } of shown) {
    const reader = users.find(({ reads }) => isReadWhole(root, reads, owner));
    if (reader === undefined) continue;
    const at = path.slice(0, LONGEST_PATH);
    const message =
      `The contract ${name} cannot change so${at === "" ? "" : ` at ${at}`}: the active template ${reader.user.key} reads all of the ` +
      `object there (\`json\`, \`each\`, \`length\`), and ${why}. New fields can be added as optional ones without a default.`;
    return {
      ok: false as const,
      problem: problem("contract_narrowed", message, { key: name, ...(at === "" ? {} : { path: at }) }),
    };
  }
  return null;
}

/** Who passed before, and does not any more. */
function affectedOf(
  users: readonly Checked[],
  before: Contract | null,
  contract: Contract,
): Pick<PublishReply, "affected" | "affectedCount"> {
  const affected = users.filter(
    (one) => one.findings.length > 0 && (before === null || check(one, before, false).findings.length === 0),
  );
  let shown = 0;
  const listed = affected.slice(0, LISTED_TEMPLATES).map((one): AffectedTemplate => {
    const { user, view } = one;
    const { findings } = shown < SHOWN_WITNESSES ? check(one, contract, true) : one;
    const few = findings.slice(0, LISTED_FINDINGS);
    shown += few.length;
    return { key: user.key, version: user.version, label: view.label, findings: few };
  });
  return { affected: listed, affectedCount: affected.length };
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
