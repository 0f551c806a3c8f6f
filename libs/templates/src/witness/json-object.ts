import type { Json, JsonObject } from "@incipit/schema";

/** Whether a value is an object. */
export const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sets a field, whatever its name means to JavaScript. */
export function setField(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
