import type { z } from "zod";
import { contractNameSchema } from "../template.ts";
import type { Contract } from "./contract.ts";
import type { ContractDocument } from "./document.ts";
import { documentFromZod } from "./from-zod.ts";
import { parseContract } from "./parse-contract.ts";

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
  const document = documentFromZod(schema);
  if (!document.ok) throw new Error(`The contract ${name}: ${document.problem.message}`);
  const contract = parseContract(name, document.value);
  if (!contract.ok) throw new Error(contract.problem.message);
  return {
    name,
    document: document.value,
    contract: contract.value,
    // The schema's own input: `S` says so, its base class does not.
    schema: schema as unknown as z.ZodType<unknown, z.input<S>>,
  };
}
