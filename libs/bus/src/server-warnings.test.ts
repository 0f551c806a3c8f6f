import { expect, test } from "vitest";
import { serverWarnings } from "./server-warnings.ts";

test.each(["2.12.12", "2.12.13", "2.13.0", "2.14.3", "2.15.1", "3.0.0"])("%s is safe", (version) => {
  expect(serverWarnings(version)).toEqual([]);
});

test.each(["2.10.0", "2.12.11", "2.11.9", "2.14.0-RC.1", "2.14.2", "v2.12.1"])(
  "%s has known faults",
  (version) => {
    expect(serverWarnings(version)).toEqual([
      expect.stringContaining(`nats-server ${version} has known faults`),
    ]);
  },
);

test("an old one cannot sync always, besides", () => {
  expect(serverWarnings("2.9.10")).toEqual([
    expect.stringContaining("sync_interval: always"),
    expect.stringContaining("known faults"),
  ]);
});

test("a version that cannot be read is a warning, not an error", () => {
  expect(serverWarnings("next")).toEqual([expect.stringContaining('"next"')]);
});
