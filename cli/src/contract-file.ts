import { basename } from "node:path";
import { parseJsonText } from "@incipit/client";
import { contractNameSchema, ok, parseContract, refuse, type Contract, type Result } from "@incipit/schema";

/** What a file of a contract's document is called: the name, then this. */
export const CONTRACT_EXTENSION = ".contract.json";

/** The name of a contract, from that of its file, `NAME.contract.json` or `NAME.json`. `option`: what else can give it. */
export function contractNameOf(file: string, option?: string): Result<string> {
  const name = basename(file).replace(/(?:\.contract)?\.json$/, "");
  if (contractNameSchema.safeParse(name).success) return ok(name);
  const message = `${JSON.stringify(file)} names no contract: call it NAME${CONTRACT_EXTENSION}${option === undefined ? "" : `, or give ${option}`}.`;
  return refuse("bad_request", message);
}

/** Reads the text of a contract's document. */
export function readContract(name: string, text: string, file: string): Result<Contract> {
  const document = parseJsonText(text, file);
  return document.ok ? parseContract(name, document.value) : document;
}
