import type { SignatureCheck } from "@incipit/events";
import { nkeys } from "nats";

/** What of a key pair is used; the client exports its key library without types. */
type KeyPair = {
  getPublicKey: () => string;
  sign: (bytes: Uint8Array) => Uint8Array;
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean;
};
const { fromSeed, fromPublic } = nkeys as {
  fromSeed: (seed: Uint8Array) => KeyPair;
  fromPublic: (key: string) => KeyPair;
};

const encoder = new TextEncoder();

/** Signs a chain hash: gives the value of the `Incipit-Signature` header, `<public key>.<base64url>`. */
export type Signer = (chainHash: string) => string;

/** A signer with an Ed25519 nkey seed (`SU…`, or of another role). Throws, without the seed in its message. */
export function createSigner(seed: string): Signer {
  const pair = readKey("The signing seed is no Ed25519 nkey seed (S…).", () =>
    fromSeed(encoder.encode(seed.trim())),
  );
  const publicKey = pair.getPublicKey();
  return (chainHash) =>
    `${publicKey}.${Buffer.from(pair.sign(encoder.encode(chainHash))).toString("base64url")}`;
}

/** Checks signatures: good is one over the chain hash by any of these public keys. Throws if one is no key. */
export function createSignatureCheck(publicKeys: readonly string[]): SignatureCheck {
  const keys = new Map(
    publicKeys.map((key) => [key, readKey(`${key} is no Ed25519 nkey public key.`, () => fromPublic(key))]),
  );
  return (chainHash, header) => {
    if (header === undefined) return "it is not signed";
    const [publicKey = "", signature = "", ...rest] = header.split(".");
    if (rest.length > 0 || !/^[A-Za-z0-9_-]{86}$/.test(signature)) return "its signature cannot be read";
    const key = keys.get(publicKey);
    if (!key) return `it is signed with an unknown key, ${publicKey.slice(0, 60)}`;
    const good = key.verify(encoder.encode(chainHash), Buffer.from(signature, "base64url"));
    return good ? null : `its signature does not fit: it was not signed so by ${publicKey}`;
  };
}

function readKey(message: string, read: () => KeyPair): KeyPair {
  try {
    const pair = read();
    pair.verify(encoder.encode(""), new Uint8Array(64)); // a curve key, which cannot sign, shows itself here
    return pair;
  } catch (cause) {
    throw new Error(message, { cause });
  }
}
