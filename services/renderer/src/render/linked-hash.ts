import type { Syntax } from "@incipit/schema";

/** One version that takes part in a linked template. */
export type LinkedPart = {
  key: string;
  version: number;
  syntax: Syntax;
  /** sha-256 of the body, hex. */
  hash: string;
};

/**
 * The hash of a linked template: sha-256, in hex, over these lines in UTF-8, each ended by a line feed:
 *
 * ```
 * incipit.linked.v1
 * <key>@<version> <syntax> <body hash>      the template itself
 * <key>@<version> <syntax> <body hash>      each one it includes, in order of their keys (code units)
 * ```
 *
 * Equal hashes mean equal bodies, read alike, under equal versions: the same context gives the same bytes.
 */
export function linkedHash(
  sha256: (text: string) => string,
  root: LinkedPart,
  partials: readonly LinkedPart[],
): string {
  const sorted = partials.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const lines = [root, ...sorted].map(
    ({ key, version, syntax, hash }) => `${key}@${version} ${syntax} ${hash}\n`,
  );
  return sha256(`incipit.linked.v1\n${lines.join("")}`);
}
