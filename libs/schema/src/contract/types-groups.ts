import type { Shape } from "./contract.ts";

/** Constants that stand in the same unions, all of them together. */
export type Group = { readonly members: readonly Shape[]; readonly unions: number };

/**
 * Parts the constants of unions by the unions they stand in. A union of unions lists all their constants: those of one
 * enumeration stay together, so that they can be written once.
 */
export function groupConstants(shapes: Iterable<Shape>): Group[] {
  const groupOf = new Map<Shape, Set<Shape>>();
  const unions = new Map<Set<Shape>, number>();
  const all = new Set<Shape>();
  for (const shape of shapes) {
    if (shape.kind !== "union") continue;
    const met = new Map<Set<Shape>, Shape[]>();
    for (const member of shape.members) {
      if (member.kind !== "literal") continue;
      const group = groupOf.get(member) ?? all;
      const members = met.get(group) ?? [];
      members.push(member);
      met.set(group, members);
    }
    for (const [group, members] of met) {
      if (members.length === group.size && group !== all) unions.set(group, (unions.get(group) ?? 0) + 1);
      else {
        const part = new Set(members);
        unions.set(part, (unions.get(group) ?? 0) + 1);
        for (const member of members) {
          group.delete(member);
          groupOf.set(member, part);
        }
      }
    }
  }
  return [...new Set(groupOf.values())].map((group) => ({
    members: [...group],
    unions: unions.get(group) ?? 0,
  }));
}
