import {
  type Contract,
  type Json,
  type JsonObject,
  type ObjectShape,
  type Shape,
  reachableFrom,
} from "@incipit/schema";

/** The smallest values of a contract's shapes. */
export type Smallest = {
  /** The smallest value of a shape; null, which may be none of its values, where not even that has room in the context. */
  valueOf: (shape: Shape, room: Room) => Json;
  /** How large that is: its parts. */
  sizeOf: (shape: Shape) => number;
};

/** Parts that a context in the making may still have. Below 0 what is made is no context any more. */
export type Room = { left: number };

/** Room for a new context. A larger one explains nothing, and lists of lists can ask for more than there is memory. */
export const newRoom = (): Room => ({ left: 8_000 });

const known = new WeakMap<Contract, Smallest>();

/** The smallest values of a contract's shapes, once for each contract. */
export function smallestOf(contract: Contract): Smallest {
  let smallest = known.get(contract);
  if (smallest === undefined) {
    smallest = createSmallest(contract);
    known.set(contract, smallest);
  }
  return smallest;
}

function createSmallest(contract: Contract): Smallest {
  const sizes = new Map<Shape, number>();
  const shapes = reachableFrom([contract.root]).toReversed();
  // A circle of shapes gets its size from the member that leads out of it: rounds, until nothing becomes smaller.
  for (let changed = true; changed;) {
    changed = false;
    for (const shape of shapes) {
      const size = measure(shape, sizes);
      if (size < (sizes.get(shape) ?? Infinity)) {
        sizes.set(shape, size);
        changed = true;
      }
    }
  }
  const sizeOf = (shape: Shape) => sizes.get(shape) ?? measure(shape, sizes);
  const valueOf = (shape: Shape, room: Room): Json => {
    room.left -= sizeOf(shape);
    return room.left < 0 ? null : build(shape);
  };
  const build = (shape: Shape): Json => {
    switch (shape.kind) {
      case "null":
        return null;
      case "string":
        return "x".repeat(shape.minLength);
      case "number":
        return 0;
      case "boolean":
        return false;
      case "literal":
        return shape.value;
      case "list":
        return Array.from({ length: shape.minItems }, () => build(shape.item));
      case "record":
        return {};
      case "object":
        return smallestObject(shape);
      case "union": {
        const [first, ...rest] = shape.members;
        if (first === undefined) throw new Error("a union without members");
        return build(rest.reduce((best, one) => (sizeOf(one) < sizeOf(best) ? one : best), first));
      }
      default:
        return shape satisfies never;
    }
  };
  const smallestObject = ({ fields }: ObjectShape): JsonObject => {
    const value: JsonObject = {};
    for (const field of fields.values()) if (field.required) value[field.name] = build(field.shape);
    return value;
  };
  return { valueOf, sizeOf };
}

function measure(shape: Shape, sizes: ReadonlyMap<Shape, number>): number {
  const of = (inner: Shape) => sizes.get(inner) ?? Infinity;
  switch (shape.kind) {
    case "null":
      return 1;
    case "list":
      return shape.minItems === 0 ? 2 : 2 + shape.minItems * of(shape.item);
    case "object": {
      let size = 4;
      for (const field of shape.fields.values()) if (field.required) size += of(field.shape);
      return size;
    }
    case "union":
      return Math.min(...shape.members.map(of));
    case "record":
      return 3;
    default:
      return 2;
  }
}
