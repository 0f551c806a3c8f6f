import { faultOfFieldName, LIMITS, utf8Length } from "@incipit/schema";

/** What is seen of one value: how it is used, and what is read of it. */
export type Seen = {
  /** Tells it from all others of the same template. */
  readonly id: number;
  readonly depth: number;
  readonly fields: Map<string, Seen>;
  items: Seen | null;
  isPrinted: boolean;
  isTested: boolean;
  isNumber: boolean;
  /** Constants it is compared with. */
  readonly constants: Set<string>;
};

/** What a contract has room for: what is seen beyond that is not noted. */
export type Room = { nodes: number; bytes: number };

/** A context of which nothing is seen yet, and the room for what will be. */
export function createContext(): { context: Seen; room: Room } {
  return { context: createSeen(0, 0), room: { nodes: 1, bytes: BYTES_OF_NODE } };
}

function createSeen(id: number, depth: number): Seen {
  return {
    id,
    depth,
    fields: new Map(),
    items: null,
    isPrinted: false,
    isTested: false,
    isNumber: false,
    constants: new Set(),
  };
}

/** A field of a value; null where the value is not of the context, the name is none that a contract can have, or it would be over its limits. */
export function fieldOf(room: Room, value: Seen | null, name: string): Seen | null {
  if (value === null) return null;
  const before = value.fields.get(name);
  if (before !== undefined) return before;
  if (faultOfFieldName(name) !== null) return null;
  const field = inside(room, value, utf8Length(JSON.stringify(name)) * TIMES_NAMED);
  if (field !== null) value.fields.set(name, field);
  return field;
}

/** What a list, or a record, holds; null as above. */
export function itemsOf(room: Room, value: Seen | null): Seen | null {
  if (value === null) return null;
  return (value.items ??= inside(room, value, 0));
}

/** Notes a constant that a value is compared with. */
export function noteConstant(room: Room, value: Seen, constant: string): void {
  if (value.constants.has(constant)) return;
  const bytes = utf8Length(JSON.stringify(constant)) + 1;
  if (room.bytes + bytes > LIMITS.contractBytes) return;
  room.bytes += bytes;
  value.constants.add(constant);
}

function inside(room: Room, value: Seen, bytes: number): Seen | null {
  if (value.depth >= DEEPEST || room.nodes >= LIMITS.contractNodes) return null;
  if (room.bytes + bytes + BYTES_OF_NODE > LIMITS.contractBytes) return null;
  room.bytes += bytes + BYTES_OF_NODE;
  return createSeen(room.nodes++, value.depth + 1);
}

/** The lists in a node of the document are a level of its JSON too. */
const DEEPEST = LIMITS.contractDepth - 1;
/** JSON text of a node without its name and its constants, at most; and how often a field's name is in the document. */
const BYTES_OF_NODE = 120;
const TIMES_NAMED = 3;
