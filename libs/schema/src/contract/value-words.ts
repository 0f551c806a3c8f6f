import type { Json, JsonObject } from "../template.ts";
import type { Shape } from "./contract.ts";

/** Whether it is worth saying how a value differs from a member: they are of one kind. */
export function nearTo(shape: Shape): (value: Json) => boolean {
  switch (shape.kind) {
    case "object":
    case "record":
      return isObject;
    case "list":
      return Array.isArray;
    case "literal":
      return (value) => value === shape.value;
    case "string":
      return (value) => typeof value === "string";
    case "number":
      return (value) => typeof value === "number";
    case "boolean":
      return (value) => typeof value === "boolean";
    case "union": {
      // By kind and by constant: an enum may have hundreds.
      const literals = new Set<Json>(
        shape.members.flatMap((one) => (one.kind === "literal" ? [one.value] : [])),
      );
      const kinds = new Map(
        shape.members.flatMap((one) => (one.kind === "literal" ? [] : [[one.kind, one]])),
      );
      const members = [...kinds.values()].map(nearTo);
      return (value) => literals.has(value) || members.some((isNear) => isNear(value));
    }
    default:
      return (value) => value === null;
  }
}

/** What a shape takes, in words. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case "literal":
      return JSON.stringify(shape.value);
    case "null":
      return "null";
    case "object":
      return "an object";
    case "number":
      return shape.integer ? "a whole number" : "a number";
    case "union":
      return "one of several";
    default:
      return `a ${shape.kind}`;
  }
}

/** Whether a value is an object. */
export const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a value is, in words. */
export function describe(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isFinite(value) ? "a number" : "not finite";
  return `a ${typeof value}`;
}
