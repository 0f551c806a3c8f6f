import { LIMITS, type ObjectShape, type Shape, type UnionShape } from "@incipit/schema";
import { clip } from "./clip.ts";

/** Writes the type of a field in words. */
export type TypeWriter = (shape: Shape) => string;

/** Lists, records and unions in one type, and characters of a constant, or of what was written before. */
const MOST_PARTS = 30;
const LONGEST_CONSTANT = 200;
const LONGEST_AGAIN = 300;
const LONGEST_TITLE = 100;

/** Words for types, the objects by their names. The constants of a long enumeration are all written where it is first met. */
export function createTypeWriter(names: ReadonlyMap<ObjectShape, string>): TypeWriter {
  const short = new Map<Shape, string>();
  // Unions of unions may each list the constants of the same enumeration.
  let left: number = LIMITS.contractBytes;

  /** `parts` counts down: a type that goes on is cut. `open`: what the shape is in. */
  const write = (shape: Shape, open: readonly Shape[], room: { parts: number }): string => {
    switch (shape.kind) {
      case "literal":
        return `\`${clip(JSON.stringify(shape.value), LONGEST_CONSTANT)}\``;
      case "number":
        return shape.integer ? "whole number" : "number";
      case "object":
        return names.get(shape) ?? (shape.title === null ? "object" : clip(shape.title, LONGEST_TITLE));
      case "list":
      case "record":
      case "union":
        break;
      default:
        return shape.kind;
    }
    if (open.includes(shape)) return "the same";
    if (room.parts-- <= 0) return "…";
    const inside = [...open, shape];
    if (shape.kind === "list") return `list of ${write(shape.item, inside, room)}`;
    if (shape.kind === "record") return `record of ${write(shape.value, inside, room)}`;
    return short.get(shape) ?? writeUnion(shape, inside, room);
  };
  const writeUnion = (union: UnionShape, open: readonly Shape[], room: { parts: number }): string => {
    let text = "";
    for (const member of union.members) {
      const next = `${text}${text === "" ? "" : " or "}${write(member, open, room)}`;
      if (next.length > LONGEST_AGAIN && !short.has(union))
        short.set(union, text === "" ? "…" : `${text} or …`);
      if (next.length > LONGEST_AGAIN && left <= 0) return short.get(union) ?? next;
      text = next;
    }
    if (text.length > LONGEST_AGAIN) left -= text.length;
    return text;
  };

  return (shape) => write(shape, [], { parts: MOST_PARTS });
}
