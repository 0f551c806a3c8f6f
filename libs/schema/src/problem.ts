import type { JsonObject } from "./template.ts";

/** The closed list of error codes, each with the status it carries on the wire. */
export const ERROR_STATUS = {
  bad_request: 400,
  bad_key: 400,
  bad_context: 400,
  field_missing: 400,
  slot_missing: 400,
  not_renderable: 400,
  key_not_found: 404,
  version_not_found: 404,
  not_active: 404,
  contract_not_found: 404,
  conflict: 409,
  key_conflict: 409,
  command_reused: 409,
  contract_narrowed: 409,
  too_large: 413,
  check_failed: 422,
  render_failed: 422,
  limit_exceeded: 422,
  not_caught_up: 503,
  unavailable: 503,
  no_responders: 503,
  timeout: 504,
  internal: 500,
} as const;

/** One of the closed list of error codes. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Whether a string is one of the closed list of error codes. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}

/** Where something stands in a body: lines and columns from 1, columns in UTF-16 units, the end exclusive. */
export type Position = { line: number; column: number; endLine: number; endColumn: number };

/** A context that makes a template fail, and what happens with it: found by rendering with it. */
export type Witness = {
  context: JsonObject;
  /** The title of the contract's variant that the context belongs to, where the contract has variants. */
  variant?: string;
  /** The refusal of the render. */
  fails: {
    code: ErrorCode;
    message: string;
    line?: number | undefined;
    column?: number | undefined;
    partial?: string | undefined;
  };
};

/** One thing a template may not do, with its exact place. `code` names the rule, in snake case. */
export type Finding = Position & {
  code: string;
  message: string;
  /** The key of the partial the finding lies in, when it is not the template itself. */
  partial?: string;
  /** What to write instead. */
  hint?: string;
  /** The smallest context found that makes the template fail. Null: looked for, and none was found. */
  witness?: Witness | null;
};

/** What a problem may carry besides its code and message. */
export type ProblemDetails = {
  key?: string;
  version?: number;
  partial?: string;
  /** The path of a field, in a request or in a context. */
  path?: string;
  line?: number;
  column?: number;
  findings?: readonly Finding[];
  /** The trace to look up, on `internal`. */
  traceId?: string;
};

/** A refusal: an expected outcome, as a value. The body of an error reply is `{ "error": Problem }`. */
export type Problem = { code: ErrorCode; status: number; message: string } & ProblemDetails;

/** Either a value or a refusal. An outage or a bug is an exception instead. */
export type Result<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** Builds a problem; the status follows from the code. `message` says what, where and what to do. */
export function problem(code: ErrorCode, message: string, details: ProblemDetails = {}): Problem {
  return { code, status: ERROR_STATUS[code], message, ...details };
}

/** A success. */
export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

/** A refusal as a result. */
export function refuse(
  code: ErrorCode,
  message: string,
  details?: ProblemDetails,
): { ok: false; problem: Problem } {
  return { ok: false, problem: problem(code, message, details) };
}
