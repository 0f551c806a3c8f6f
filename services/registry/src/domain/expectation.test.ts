import { expect, test } from "vitest";
import { refuseExpectation } from "./refusals.ts";

test("an expectation that does not hold is named by its field, so that it is told from other conflicts", () => {
  expect(refuseExpectation("a", "expectNewest", "The newest version", 1, 2)).toMatchObject({
    problem: { code: "conflict", key: "a", path: "expectNewest" },
  });
  expect(refuseExpectation("a", "expectActive", "The version", 0, null)).toBeNull();
});
