import { DEFAULT_LABEL, isKey, type ListItem } from "@incipit/schema";

/** A version to export; one that is not live is a draft, which nobody is served. */
export type Selected = { key: string; version: number; isLive: boolean };

/**
 * Which version of a key is exported: the one under the label, else the one under production, as a render looks for what a
 * template includes; else the newest, which is not live, or nothing with `activeOnly`. A key with nothing but its seed
 * is the software's, not the user's. A key from the bus becomes a path only where it is a key, which no `..` is.
 */
export function selectVersion(
  { key, labels, newest }: Pick<ListItem, "key" | "labels" | "newest">,
  {
    label = DEFAULT_LABEL,
    activeOnly = false,
  }: { label?: string | undefined; activeOnly?: boolean | undefined },
): Selected | null {
  if (!isKey(key)) return null;
  const live = labels[label] ?? labels[DEFAULT_LABEL];
  if (live !== undefined) return { key, version: live, isLive: true };
  return newest === null || activeOnly ? null : { key, version: newest, isLive: false };
}
