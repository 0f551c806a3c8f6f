import { isMap, isNode, isScalar, type Document } from "yaml";
import type { z } from "zod";

/** Where in a YAML text a value has its first fault: at the field's name where the field is unknown, else at its value. */
export function offsetOfFault(document: Document.Parsed, schema: z.ZodType, value: unknown): number {
  const fault = schema.safeParse(value).error?.issues[0];
  const { contents } = document;
  if (fault === undefined) return 0;
  const unknown = fault.code === "unrecognized_keys" ? fault.keys[0] : undefined;
  const name =
    unknown !== undefined && isMap(contents)
      ? contents.items.find(({ key }) => isScalar(key) && String(key.value) === unknown)?.key
      : undefined;
  const node = name ?? document.getIn(fault.path, true) ?? contents;
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
