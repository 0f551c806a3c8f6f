import { expect, it } from "vitest";
import { selectVersion } from "./selection.ts";

const item = (labels: Record<string, number>, newest: number | null) => ({ key: "a/b", labels, newest });

it("takes what production points at, not what is newest", () => {
  expect(selectVersion(item({ production: 2 }, 5), {})).toMatchObject({ version: 2, isLive: true });
});

it("takes what the label points at, and where it points nowhere what production does", () => {
  const options = { label: "staging" };
  expect(selectVersion(item({ production: 2, staging: 3 }, 5), options)).toMatchObject({ version: 3 });
  expect(selectVersion(item({ production: 2 }, 5), options)).toMatchObject({ version: 2, isLive: true });
});

it("takes the newest where nothing is live, says that it is not, and leaves it out where only the live is wanted", () => {
  expect(selectVersion(item({ canary: 1 }, 5), {})).toMatchObject({ version: 5, isLive: false });
  expect(selectVersion(item({ canary: 1 }, 5), { activeOnly: true })).toBeNull();
});

it("leaves out a seed, and what is no key", () => {
  expect(selectVersion(item({}, null), {})).toBeNull();
  expect(selectVersion({ ...item({ production: 1 }, 1), key: "../a" }, {})).toBeNull();
});
