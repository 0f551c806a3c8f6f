import { unwrap, type Client } from "@incipit/client";
import type { ListItem } from "@incipit/schema";
import { parseTemplate, type ParsedTemplate, type ResolvedPartial } from "@incipit/templates";

/**
 * Fetches what the files of a folder include, directly and through others, and do not bring along: what is live under the
 * label, else under `production`, else the seed, else the newest. By key.
 */
export async function fetchPartials(
  client: Pick<Client, "get">,
  here: ReadonlyMap<string, ParsedTemplate>,
  existing: readonly ListItem[],
  label: string,
): Promise<Map<string, ResolvedPartial>> {
  const known = new Map(existing.map((item) => [item.key, item]));
  const found = new Map<string, ResolvedPartial>();
  const pending = [...here.values()].flatMap(({ partials }) => partials);
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const item = known.get(key);
    if (item === undefined || here.has(key) || found.has(key)) continue;
    const version = item.labels[label] ?? item.active ?? (item.seed ? 0 : item.newest);
    if (version === null) continue;
    const { body, syntax } = unwrap(await client.get(key, { version }));
    const parsed = parseTemplate(body, syntax);
    // What is stored and cannot be read by this release is for the registry to judge.
    found.set(key, parsed.ok ? { key, version, parsed: parsed.value } : unreadPartial(key));
    if (parsed.ok) pending.push(...parsed.value.partials);
  }
  return found;
}

/** Stands for a partial whose body is not known: it includes nothing. */
export function unreadPartial(key: string): ResolvedPartial {
  return { key, version: 0, parsed: unwrap(parseTemplate("-", "plain")) };
}
