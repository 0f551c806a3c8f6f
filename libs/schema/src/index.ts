export {
  ERROR_STATUS,
  isErrorCode,
  ok,
  problem,
  refuse,
  type ErrorCode,
  type Finding,
  type Position,
  type Problem,
  type ProblemDetails,
  type Result,
  type Witness,
} from "./problem.ts";
export { LIMITS, utf8Length } from "./limits.ts";
export { isWellFormed } from "./well-formed.ts";
export { foldKey, isKey, parseKey } from "./keys.ts";
export { DEFAULT_LABEL, LABEL_PATTERN, parseRef, type Ref } from "./refs.ts";
export {
  commandIdSchema,
  configSchema,
  contractNameSchema,
  DEFAULT_SETTINGS,
  keySchema,
  KINDS,
  labelSchema,
  noteSchema,
  ON_ERROR,
  seqSchema,
  SYNTAXES,
  tagsSchema,
  versionSchema,
  type Json,
  type JsonObject,
  type Kind,
  type OnError,
  type Syntax,
  type TemplateSettings,
} from "./template.ts";
export {
  activatePayloadSchema,
  ACTOR_PATTERN,
  addPayloadSchema,
  COMMAND_VERBS,
  deactivatePayloadSchema,
  publishPayloadSchema,
  type ActivatePayload,
  type ActivateReply,
  type AddPayload,
  type AddReply,
  type CommandVerb,
  type DeactivatePayload,
  type DeactivateReply,
  type AffectedTemplate,
  type PublishPayload,
  type PublishReply,
  type RenderersReply,
} from "./commands.ts";
export {
  activationsPayloadSchema,
  checkPayloadSchema,
  contractPayloadSchema,
  contractsPayloadSchema,
  dependentsPayloadSchema,
  diffPayloadSchema,
  referencePayloadSchema,
  getPayloadSchema,
  labelsPayloadSchema,
  listPayloadSchema,
  QUERY_VERBS,
  statusPayloadSchema,
  versionsPayloadSchema,
  type CheckPayload,
  type ContractPayload,
  type ContractsPayload,
  type ReferencePayload,
  type ActivationsPayload,
  type DependentsPayload,
  type DiffPayload,
  type GetPayload,
  type LabelsPayload,
  type ListPayload,
  type QueryVerb,
  type StatusPayload,
  type VersionsPayload,
} from "./queries.ts";
export {
  type ActivationItem,
  type ActivationsReply,
  type CheckReply,
  type ContractItem,
  type ContractReply,
  type ContractsReply,
  type DependentItem,
  type DependentVersion,
  type DependentsReply,
  type DiffReply,
  type GetReply,
  type LabelItem,
  type LabelsReply,
  type ListItem,
  type ListReply,
  type ReferenceReply,
  type RejectedItem,
  SEARCH_FIELDS,
  type SearchField,
  type StatusReply,
  type TemplateVersion,
  type VersionItem,
  type VersionsReply,
} from "./query-replies.ts";
export { renderPayloadSchema, type RenderPayload, type RenderReply, type UsedVersion } from "./render.ts";
export { formatPath, parseWith } from "./zod-problem.ts";
export { errorReplySchema, parseErrorReply } from "./problem-schema.ts";
export {
  activateReplySchema,
  activationsReplySchema,
  addReplySchema,
  checkReplySchema,
  contractReplySchema,
  contractsReplySchema,
  dependentsReplySchema,
  diffReplySchema,
  publishReplySchema,
  referenceReplySchema,
  deactivateReplySchema,
  getReplySchema,
  labelsReplySchema,
  listReplySchema,
  renderReplySchema,
  statusReplySchema,
  versionsReplySchema,
} from "./replies.ts";
export type { ContractDocument, DocumentNode, Scalar } from "./contract/document.ts";
export type { Contract, Field, ListShape, ObjectShape, Shape, UnionShape } from "./contract/contract.ts";
export { READS_ALL, type Reads, readsOfField, readsOfItems } from "./contract/reads.ts";
export { faultOfFieldName, isPrototypeName, RESERVED_NAMES } from "./contract/field-names.ts";
export { parseContract } from "./contract/parse-contract.ts";
export { createValidator } from "./contract/validator.ts";
export { markAbsent, mayBeAbsent } from "./contract/absent.ts";
export { compareContracts, type ContractChange, type ContractComparison } from "./contract/compare.ts";
export { readStoredContract, refuseUnreadable } from "./contract/read-stored.ts";
export { innerOf, isNullable, membersOf, objectsOf, reachableFrom } from "./contract/shapes.ts";
export { findUnlisted } from "./contract/unlisted.ts";
export { isReadWhole } from "./contract/read-whole.ts";
export { defineContract, type DefinedContract } from "./contract/define-contract.ts";
export { documentFromZod } from "./contract/from-zod.ts";
export { writeContractTypes } from "./contract/types-text.ts";
