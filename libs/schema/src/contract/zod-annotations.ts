import { z } from "zod";
import type { ZodSchema } from "./zod-definition.ts";

/** What `describe` and `meta` say of a schema, as far as a document holds it; `parseContract` judges the values. */
export type Annotations = {
  readonly title?: string;
  readonly description?: string;
  readonly [mark: `x-${string}`]: unknown;
};

/**
 * Reads what is said of a schema itself; its wrappers say theirs. Every mark `x-…` is handed on as it is, so that one
 * that is misspelt or has a wrong value is refused, not lost.
 */
export function annotationsOf(schema: ZodSchema): Annotations {
  const meta: Readonly<Record<string, unknown>> = z.globalRegistry.get(schema) ?? {};
  return Object.fromEntries(
    Object.entries(meta).filter(
      ([name, value]) =>
        name.startsWith("x-") || ((name === "title" || name === "description") && typeof value === "string"),
    ),
  );
}
