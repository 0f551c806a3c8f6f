const NAMES = [
  "password",
  "pass",
  "seed",
  "nkeySeed",
  "signingSeed",
  "token",
  "jwt",
  "creds",
  "authorization",
];

/** Fields of a log line whose values are never written, at the top and one level down. */
export const SECRET_FIELDS: string[] = NAMES.flatMap((name) => [name, `*.${name}`]);

/** Nkey seeds (`SU…`), JWTs, and what stands before the `@` of a URL. */
const SEED = /(?<![A-Z2-7])S[A-Z][A-Z2-7]{56}(?![A-Z2-7])/g;
const JWT = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g;
const LOGIN = /(:\/\/)[^\s/@"\\]+@/g;

/** Blots out whatever in a text looks like a secret. What is JSON stays JSON. */
export function hideSecrets(text: string): string {
  return text.replace(SEED, "[hidden]").replace(JWT, "[hidden]").replace(LOGIN, "$1[hidden]@");
}
