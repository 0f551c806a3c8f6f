import {
  ok,
  readStoredContract,
  refuse,
  type contractPayloadSchema,
  type contractsPayloadSchema,
  type ContractItem,
  type ContractReply,
  type ContractsReply,
  type JsonObject,
  type ReferenceReply,
  type Result,
} from "@incipit/schema";
import { writeContractReference } from "@incipit/templates";
import type Database from "better-sqlite3";

type Payload = ReturnType<typeof contractPayloadSchema.parse>;
type ContractsPayload = ReturnType<typeof contractsPayloadSchema.parse>;
type Row = ContractItem & { document: string };

/** `contract`, `contracts` and `reference`. */
export function prepareContractQueries(db: Database.Instance) {
  const columns = "name, version, note, hash, actor, created, seq";
  const selectVersion = db.prepare<[string, number], Row>(
    `SELECT ${columns}, document FROM contracts WHERE name = ? AND version = ?`,
  );
  const selectNewest = db.prepare<[string], Row>(
    `SELECT ${columns}, document FROM contracts WHERE name = ? ORDER BY version DESC LIMIT 1`,
  );
  const selectPage = db.prepare<[string, number], ContractItem>(`
    SELECT ${columns} FROM contracts c
    WHERE name > ? AND version = (SELECT max(version) FROM contracts o WHERE o.name = c.name)
    ORDER BY name LIMIT ?
  `);
  const selectTotal = db.prepare<[], number>("SELECT count(DISTINCT name) FROM contracts").pluck();

  function contract(name: string, { version }: Payload): Result<ContractReply> {
    const newest = selectNewest.get(name);
    if (newest === undefined)
      return refuse("contract_not_found", `There is no contract ${name}.`, { key: name });
    const row = version === undefined ? newest : selectVersion.get(name, version);
    if (row === undefined)
      return refuse(
        "version_not_found",
        `The contract ${name} has no version ${version}; it has versions 1 to ${newest.version}.`,
        { key: name },
      );
    // It was a JSON object when it was written.
    return ok({ ...row, document: JSON.parse(row.document) as JsonObject });
  }

  return {
    contract,
    contracts({ limit, after = "" }: ContractsPayload): ContractsReply {
      const found = selectPage.all(after, limit + 1);
      const items = found.slice(0, limit);
      return {
        items,
        total: selectTotal.get() ?? 0,
        after: found.length > limit ? (items.at(-1)?.name ?? null) : null,
      };
    },
    reference(name: string): Result<ReferenceReply> {
      const found = contract(name, {});
      if (!found.ok) return found;
      const { version, document } = found.value;
      const parsed = readStoredContract(name, version, document);
      return parsed.ok
        ? ok({ name, version, markdown: writeContractReference(parsed.value, version) })
        : parsed;
    },
  };
}
