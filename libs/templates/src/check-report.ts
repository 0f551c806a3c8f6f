import type { Finding, Reads } from "@incipit/schema";

/** What checking a linked template against a contract tells. */
export type CheckReport = {
  /** Why it is refused, in the order they stand; none: for every context the contract allows it renders, or meets a limit. */
  readonly findings: readonly Finding[];
  /** What is odd and harms nothing: a branch that can never be reached. */
  readonly warnings: readonly Finding[];
  /** What of the context it can read: all that a validator must look at. */
  readonly reads: Reads;
};
