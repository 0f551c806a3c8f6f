import { z } from "zod";
import type { ZodSchema } from "./zod-definition.ts";

/** What `describe` and `meta` say of a schema, as far as a document holds it. */
export type Annotations = {
  title?: string;
  description?: string;
  "x-per-call"?: true;
  "x-warn-unused"?: string;
};

/** Reads what is said of a schema itself; its wrappers say theirs. */
export function annotationsOf(schema: ZodSchema): Annotations {
  const meta: Readonly<Record<string, unknown>> = z.globalRegistry.get(schema) ?? {};
  const annotations: Annotations = {};
  if (typeof meta["title"] === "string") annotations.title = meta["title"];
  if (typeof meta["description"] === "string") annotations.description = meta["description"];
  if (meta["x-per-call"] === true) annotations["x-per-call"] = true;
  if (typeof meta["x-warn-unused"] === "string") annotations["x-warn-unused"] = meta["x-warn-unused"];
  return annotations;
}
