import type { z } from "zod";
import { contractNameSchema } from "../template.ts";
import type { Contract } from "./contract.ts";
import type { ContractDocument } from "./document.ts";
import { readZod } from "./from-zod.ts";
import type { Fault } from "./fault-list.ts";
import { parseContract } from "./parse-contract.ts";
import { readDocument } from "./read-document.ts";

/** A contract written in TypeScript. `T` is the context as a caller sends it. */
export type DefinedContract<T = unknown> = {
  readonly name: string;
  /** What is published: `client.publish(name, { document })`. */
  readonly document: ContractDocument;
  readonly contract: Contract;
  readonly schema: z.ZodType<unknown, T>;
};

/**
 * Defines a contract with Zod: every field with a description (`.describe("…")`), a root union of objects with titles
 * (`.meta({ title: "…" })`) for variants. Throws an `Error` that lists every fault: it is the code that is wrong then.
 */
export function defineContract<S extends z.ZodType>(name: string, schema: S): DefinedContract<z.input<S>> {
  if (!contractNameSchema.safeParse(name).success)
    throw new Error(`${JSON.stringify(name)} is not the name of a contract: use A-Z a-z 0-9 _ -.`);
  const { document, faults } = readZod(schema);
  const places = new Set(faults.map(({ path }) => path));
  // What is wrong with the document at a place where the schema is wrong already follows from that.
  const others =
    document === null ? [] : readDocument(document).faults.filter(({ path }) => !places.has(path));
  const all = [...faults, ...others];
  if (document === null || all.length > 0)
    throw new Error(`The contract ${name} is not valid. ${all.map(faultLine).join("; ")}.`);
  const contract = parseContract(name, document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return {
    name,
    document,
    contract: contract.value,
    // The schema's own input: `S` says so, its base class does not.
    schema: schema as unknown as z.ZodType<unknown, z.input<S>>,
  };
}

const faultLine = ({ path, message }: Fault): string => (path === "" ? message : `${path}: ${message}`);
