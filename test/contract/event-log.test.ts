import { describe } from "vitest";
import { logAdapters } from "../support/log-adapters.ts";
import { logContract } from "../support/log-contract.ts";

for (const adapter of await logAdapters())
  describe.skipIf(!adapter.available)(`the log ${adapter.name}`, () => {
    logContract(adapter);
  });
