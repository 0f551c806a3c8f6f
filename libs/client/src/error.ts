import type { ErrorCode, Problem, Result } from "@incipit/schema";

/** A refusal as an exception, for callers who want one: see `unwrap`. */
export class IncipitError extends Error {
  override readonly name = "IncipitError";
  /** One of the closed list of error codes. */
  readonly code: ErrorCode;
  /** The status that goes with the code, as in HTTP. */
  readonly status: number;
  /** Everything the refusal carries: key, path, position, findings. */
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.code = problem.code;
    this.status = problem.status;
    this.problem = problem;
  }
}

/** The value of a result, or its refusal thrown as `IncipitError`. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new IncipitError(result.problem);
}
