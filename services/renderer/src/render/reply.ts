import type { RenderReply } from "@incipit/schema";
import type { VersionRef } from "./version.ts";

/** What a reply is made of. */
export type ReplyParts = {
  root: VersionRef;
  label: string | null;
  partials: readonly VersionRef[];
  hash: string;
  contract: { name: string; version: number } | null;
  text: string;
  /** The log position the answer reflects. */
  seq: number;
  stale: boolean;
};

/** Builds the reply to a render, fields in the documented order. */
export function buildReply(parts: ReplyParts): RenderReply {
  const { root, label, partials, hash, contract, text, seq, stale } = parts;
  return {
    key: root.key,
    version: root.version,
    label,
    seq,
    hash,
    contract,
    text,
    partials: partials.map(({ key, version }) => ({ key, version })),
    ...(stale ? { stale: true as const } : {}),
    warnings: [],
  };
}
