import type { Client } from "@incipit/client";
import { DEFAULT_LABEL, parseRef, type Problem } from "@incipit/schema";
import { placesOf, type Source } from "./problem-text.ts";

/** What was asked for: the template, and the version or the label where they are known. */
export type Asked = { key: string; version?: number | undefined; label?: string | undefined };

/** What a ref asks for, together with a label given beside it. */
export function askedFor(refText: string, label?: string): Asked {
  const ref = parseRef(refText);
  if (!ref.ok) return { key: refText, label };
  return { ...ref.value, ...(label !== undefined && { label }) };
}

/** Bodies that are looked up for one refusal at most; further places stand without their line. */
const LOOKED_UP = 10;
/** Milliseconds one look-up may take: the refusal is worth more than its source line. */
const LOOK_UP_MS = 2_000;

/**
 * The stored texts that a refusal's places point into. A body that cannot be fetched is left out: the place is shown all
 * the same.
 */
export async function findSources(
  client: Pick<Client, "get">,
  problem: Problem,
  asked: Asked,
): Promise<{ source: Source | undefined; partials: Map<string, string> }> {
  const places = placesOf(problem);
  const partials = new Map<string, string>();
  if (places.length === 0) return { source: undefined, partials };
  const key = problem.key ?? asked.key;
  const version = problem.version ?? asked.version;
  const bodyOf = async (of: string, pointer: { version: number } | { label: string }) => {
    const found = await client.get(of, { ...pointer, timeoutMs: LOOK_UP_MS });
    return found.ok ? found.value.body : undefined;
  };
  const { label = DEFAULT_LABEL } = asked;
  const names = new Set(places.flatMap(({ partial }) => partial ?? []));
  await Promise.all(
    [...names].slice(0, LOOKED_UP).map(async (partial) => {
      // As a render looks for it: under the label, else under production, else the seed.
      const body =
        (await bodyOf(partial, { label })) ??
        (label === DEFAULT_LABEL ? undefined : await bodyOf(partial, { label: DEFAULT_LABEL }));
      if (body !== undefined) partials.set(partial, body);
    }),
  );
  const isWanted = places.some(({ partial }) => partial === undefined);
  const body = isWanted && version !== undefined ? await bodyOf(key, { version }) : undefined;
  const name = version === undefined ? key : `${key}@${version}`;
  return { source: { name, ...(body !== undefined && { body }) }, partials };
}
