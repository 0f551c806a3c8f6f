import { createHash } from "node:crypto";
import type { Primitives } from "@incipit/events";

// `ignoreBOM: true` means: leave a byte order mark in the text, so that decoding never hides a byte.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Node's hashing and strict decoding. */
export const nodePrimitives: Primitives = {
  sha256(...parts) {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest("hex");
  },
  decodeUtf8(bytes) {
    try {
      return strict.decode(bytes);
    } catch {
      return null;
    }
  },
};
