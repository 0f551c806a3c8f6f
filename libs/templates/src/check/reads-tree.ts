import type { Reads } from "@incipit/schema";
import type { Access } from "./access.ts";
import { isIndex } from "./access.ts";

type Node = { all: boolean; fields: Map<string, Node>; items: Node | null };

const createNode = (): Node => ({ all: false, fields: new Map(), items: null });

/** Gathers what of the context is read, while a template is walked. */
export type ReadsTree = {
  /** The value at a place is looked at: tested, printed, looped over. */
  touch: (access: Access) => void;
  /** All of it is, at any depth. */
  touchAll: (access: Access) => void;
  reads: () => Reads;
};

/** An empty tree. Only ways from the context (root 0) count: what else there is was read to make it. */
export function createReadsTree(): ReadsTree {
  const root = createNode();
  const known = new Map<string, readonly Node[]>();

  /** The nodes of a place: a number may be an index of a list or a name of a record, and both are meant then. */
  function nodesAt(access: Access): readonly Node[] {
    const before = known.get(access.key);
    if (before !== undefined) return before;
    let nodes: readonly Node[] = [root];
    for (const step of access.steps) {
      nodes = nodes.flatMap((node) => {
        if (step.kind === "field") {
          const field = node.fields.get(step.name) ?? createNode();
          node.fields.set(step.name, field);
          return isIndex(step.name) ? [field, (node.items ??= createNode())] : [field];
        }
        return [(node.items ??= createNode())];
      });
    }
    known.set(access.key, nodes);
    return nodes;
  }

  return {
    touch(access) {
      if (access.root === 0) nodesAt(access);
    },
    touchAll(access) {
      if (access.root === 0) for (const node of nodesAt(access)) node.all = true;
    },
    reads: () => root,
  };
}
