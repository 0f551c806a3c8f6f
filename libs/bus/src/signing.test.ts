import { expect, test } from "vitest";
import { createSignatureCheck, createSigner } from "./signing.ts";

// Key pairs made for these tests and used nowhere else.
const ann = {
  seed: "SUAD3AMFJAG4Z65MXFDM6FBEGB3GIHALGGT5E57VN4UMMXVYWL35OLZ5FY",
  publicKey: "UDMHYWL3ZCQACSGIAU275FK4ROO6GD3XL7EJD2DCDROJC6SCXEWHZYB5",
};
const hash = "ab".repeat(32);

test("a signature is good for its key and its hash alone", () => {
  const header = createSigner(ann.seed)(hash);
  expect(header).toMatch(new RegExp(`^${ann.publicKey}\\.[A-Za-z0-9_-]{86}$`));
  const check = createSignatureCheck([ann.publicKey]);
  expect(check(hash, header)).toBeNull();
  expect(check("cd".repeat(32), header)).toContain("does not fit");
});

test("what is wrong with a signature is said", () => {
  const check = createSignatureCheck([ann.publicKey]);
  const header = createSigner(ann.seed)(hash);
  expect(check(hash, undefined)).toBe("it is not signed");
  for (const odd of ["", ".", header.slice(0, -1), `${header}=`, `${header}.x`, ann.publicKey])
    expect(check(hash, odd)).toBe("its signature cannot be read");
  expect(createSignatureCheck([])(hash, header)).toContain(`an unknown key, ${ann.publicKey}`);
});

test("a seed or key that is none is an error, which never shows the seed", () => {
  const broken = `${ann.seed.slice(0, -1)}X`;
  expect(() => createSigner(broken)).toThrow(/^The signing seed is no Ed25519 nkey seed/);
  expect(() => createSigner(ann.publicKey)).toThrow(/signing seed/);
  expect(() => createSignatureCheck(["UNO"])).toThrow(/^UNO is no/);
});
