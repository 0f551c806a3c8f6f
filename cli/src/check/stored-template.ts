import type { Client } from "@incipit/client";
import { DEFAULT_LABEL, ok, type Problem, type Result } from "@incipit/schema";
import { linkTemplate, parseTemplate, type LinkedTemplate, type ResolvedPartial } from "@incipit/templates";
import type { Asked } from "../stored-source.ts";

/** A stored template with all it includes, or why there is none; `body` is what the refusal's places point into. */
export type StoredTemplate = Result<LinkedTemplate> & { readonly body?: string };

/**
 * Fetches a stored template and links it with its partials, each resolved as a render would: under the label, else under
 * `production`, else the seed.
 */
export async function linkStored(
  client: Pick<Client, "get">,
  { key, version, label = DEFAULT_LABEL }: Asked,
): Promise<StoredTemplate> {
  const stored = await client.get(key, version === undefined ? { label } : { version });
  if (!stored.ok) return stored;
  const { body, syntax } = stored.value;
  const root = parseTemplate(body, syntax);
  if (!root.ok) return { ...root, body };
  const partials = await fetchIncluded(client, root.value.partials, label);
  if (!partials.ok) return partials;
  return { ...linkTemplate(key, root.value, (name) => partials.value.get(name)), body };
}

async function fetchIncluded(
  client: Pick<Client, "get">,
  keys: readonly string[],
  label: string,
): Promise<Result<Map<string, ResolvedPartial>>> {
  const found = new Map<string, ResolvedPartial>();
  const asked = new Set<string>();
  const pending = [...keys];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (asked.has(key)) continue;
    asked.add(key);
    const partial = await getUnder(client, key, label);
    if (!partial.ok) {
      if (isMissing(partial.problem)) continue;
      return partial;
    }
    const { version, body, syntax } = partial.value;
    const parsed = parseTemplate(body, syntax);
    if (!parsed.ok) return parsed;
    found.set(key, { key, version, parsed: parsed.value });
    pending.push(...parsed.value.partials);
  }
  return ok(found);
}

async function getUnder(client: Pick<Client, "get">, key: string, label: string) {
  const found = await client.get(key, { label });
  const isElsewhere = !found.ok && isMissing(found.problem) && label !== DEFAULT_LABEL;
  return isElsewhere ? client.get(key, { label: DEFAULT_LABEL }) : found;
}

/** Linking tells of what is not there, with its place. */
const isMissing = ({ code }: Problem): boolean => code === "key_not_found" || code === "not_active";
