export { checkTemplate, type CheckOptions } from "./check/check-template.ts";
export type { CheckReport } from "./check-report.ts";
export type { ParsedTemplate } from "./ast.ts";
export { writeContractReference } from "./contract-reference.ts";
export { FINDING_CODES } from "./finding.ts";
export { formatFinding, witnessLines } from "./format-finding.ts";
export { inferContract } from "./infer-contract.ts";
export { HELPERS } from "./helper-table.ts";
export {
  linkTemplate,
  type LinkedTemplate,
  type ResolvedPartial,
  type RefusedPartial,
  type ResolvePartial,
} from "./link-template.ts";
export { listVariables } from "./list-variables.ts";
export { parseTemplate } from "./parse-template.ts";
export { render, type RenderedText } from "./render.ts";
