import type { Json, JsonObject } from "@incipit/schema";

/** Whether a value is an object. */
export const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** How much there is in a value: its objects, lists, fields and items; less for what is empty. */
export function partsOf(value: Json): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + partsOf(item), 2);
  if (isObject(value))
    return Object.values(value).reduce<number>((sum, field) => sum + 1 + partsOf(field), 3);
  return value === null || value === "" || value === 0 || value === false ? 1 : 2;
}

/** Sets a field, whatever its name means to JavaScript. */
export function setField(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
