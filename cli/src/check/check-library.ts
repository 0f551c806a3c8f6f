import type { TemplateFile } from "@incipit/files";
import { problem, type Contract, type Finding, type Problem, type Result } from "@incipit/schema";
import { checkTemplate, listVariables, parseTemplate } from "@incipit/templates";
import { inFile, problemInFile } from "../file-lines.ts";
import { linkWithin, type Library } from "./load.ts";

/** What a check says of one file. */
export type FileReport = {
  path: string;
  key: string;
  findings: readonly Finding[];
  warnings: readonly Finding[];
  variables: readonly string[];
  /** The name of the contract it was checked against; null: it has none. */
  contract: string | null;
  /** Why it could not be checked: no findings are known then. */
  error?: Problem;
};

/** Gives the contract of a template; null where it has none. */
export type ContractOf = (file: TemplateFile) => Result<Contract | null>;

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** Checks one file as the registry would: its language, what it includes, and what it does with its contract. */
export function checkFileIn(
  library: Library,
  path: string,
  file: TemplateFile,
  contractOf: ContractOf,
): FileReport {
  const { key, body, settings } = file;
  const frontLines = (partial: string | undefined) =>
    (partial === undefined ? file : library.files.get(partial))?.frontLines ?? 0;
  const here = (finding: Finding) => inFile(finding, frontLines);
  const of = (findings: readonly Finding[], rest: Partial<FileReport> = {}): FileReport => ({
    path,
    key,
    contract: settings.contract,
    variables: [],
    ...rest,
    findings: findings.map(here),
    warnings: (rest.warnings ?? []).map(here),
    ...(rest.error && { error: problemInFile(rest.error, frontLines) }),
  });
  if (settings.kind === "assembly")
    return of([], {
      error: problem("bad_request", "Assemblies are not supported by this release.", { key }),
    });
  if (body.trim() === "") return of([{ code: "empty_body", message: "The body is blank.", ...START }]);
  const linked = linkWithin(library, file);
  if (!linked.ok) {
    const { findings } = linked.problem;
    return findings === undefined ? of([], { error: linked.problem }) : of(findings);
  }
  const parsed = parseTemplate(body, settings.syntax);
  const variables = parsed.ok ? listVariables(parsed.value) : [];
  const contract = contractOf(file);
  if (!contract.ok) return of([], { error: contract.problem, variables });
  if (contract.value === null) return of([], { variables });
  const { findings, warnings } = checkTemplate(linked.value, contract.value);
  return of(findings, { warnings, variables, contract: contract.value.name });
}
