import type { LogEntry } from "@incipit/client";
import { describe, expect, it } from "vitest";
import { createChainReport, formatReport } from "./chain-report.ts";

/** Entries as a reader of the log gets them: `null` is an event, a text a rejection with that reason. */
function summarise(reasons: readonly (string | null)[]) {
  const report = createChainReport();
  let index = 0;
  for (const [at, reason] of reasons.entries()) {
    if (reason === null) index++;
    report.take({
      record: { seq: at + 1 },
      admission: reason === null ? { status: "event" } : { status: "rejected", reason },
      chain: { index, head: `h${index}` },
    } as LogEntry);
  }
  return report.summarise();
}

describe("the chain report", () => {
  it("is unbroken where every message goes on from the one before", () => {
    const summary = summarise([null, null]);
    expect(summary).toEqual({
      messages: 2,
      events: 2,
      head: "h2",
      rejected: 0,
      unbroken: true,
      brokenAt: null,
    });
    expect(formatReport(summary)).toBe("chain unbroken: 2 events, head h2\n");
  });

  it("is unbroken over messages that are not ours, wherever they stand", () => {
    expect(summarise([null, "the payload is not JSON"])).toMatchObject({ unbroken: true, rejected: 1 });
    expect(summarise([null, "prev does not match the chain head at index 1", null])).toMatchObject({
      unbroken: true,
      rejected: 1,
    });
  });

  it("is broken where nothing goes on from the last good message", () => {
    const wrong = "index 4 does not follow 2";
    const summary = summarise([null, null, wrong, "prev does not match the chain head at index 2"]);
    expect(summary).toMatchObject({ unbroken: false, brokenAt: 3, events: 2, rejected: 2 });
    expect(formatReport(summary)).toBe(
      "chain BROKEN at seq 3: 2 events before it, 2 messages rejected, head h2\n",
    );
  });
});
