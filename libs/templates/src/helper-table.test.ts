import { RESERVED_NAMES } from "@incipit/schema";
import { expect, it } from "vitest";
import { BLOCKS, BREAKPOINT, HELPERS } from "./helper-table.ts";

it("no field of a contract may be named like a helper, a block or the breakpoint", () => {
  expect(RESERVED_NAMES).toEqual(expect.arrayContaining([...Object.keys(HELPERS), ...BLOCKS, BREAKPOINT]));
});
