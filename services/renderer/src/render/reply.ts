import type { RenderReply } from "@incipit/schema";
import type { VersionRef } from "./version.ts";

/** What a reply is made of. */
export type ReplyParts = {
  root: VersionRef;
  label: string | null;
  partials: readonly VersionRef[];
  hash: string;
  text: string;
  /** The log position the answer reflects. */
  seq: number;
  stale: boolean;
};

/** Builds the reply to a render, fields in the documented order. Contracts do not exist yet. */
export function buildReply({ root, label, partials, hash, text, seq, stale }: ReplyParts): RenderReply {
  return {
    key: root.key,
    version: root.version,
    label,
    seq,
    hash,
    contract: null,
    text,
    partials: partials.map(({ key, version }) => ({ key, version })),
    ...(stale ? { stale: true as const } : {}),
    warnings: [],
  };
}
