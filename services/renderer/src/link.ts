import { linkTemplate, type LinkedTemplate } from "@incipit/templates";
import { ok, type Result } from "@incipit/schema";
import { linkedHash } from "./render/linked-hash.ts";
import type { Body } from "./template-cache.ts";

/** Joins a template with everything it includes, and hashes the whole. All bodies must be readable. */
export function linkBodies(
  root: Body,
  partials: readonly Body[],
  sha256: (text: string) => string,
): Result<{ template: LinkedTemplate; hash: string }> {
  if (!root.parsed.ok) throw new Error(`${root.ref.key} is linked without a readable body`);
  const included = new Map(partials.map((body) => [body.ref.key, body]));
  const linked = linkTemplate(root.ref.key, root.parsed.value, (key) => {
    const body = included.get(key);
    return body?.parsed.ok === true
      ? { key, version: body.ref.version, parsed: body.parsed.value }
      : undefined;
  });
  if (!linked.ok) return linked;
  return ok({ template: linked.value, hash: linkedHash(sha256, partOf(root), partials.map(partOf)) });
}

const partOf = ({ ref, syntax, hash }: Body) => ({ key: ref.key, version: ref.version, syntax, hash });
