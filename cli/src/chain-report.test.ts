import type { LogEntry } from "@incipit/client";
import type { Fault } from "@incipit/events";
import { describe, expect, it } from "vitest";
import { createChainReport, formatReport } from "./chain-report.ts";

/** Entries as a reader of the log gets them: `null` is an event, else a rejection for that fault. */
function summarise(faults: readonly (Fault | null)[]) {
  const report = createChainReport();
  let index = 0;
  for (const [at, fault] of faults.entries()) {
    if (fault === null) index++;
    report.take({
      record: { seq: at + 1 },
      admission:
        fault === null
          ? { status: "event" }
          : { status: "rejected", fault, reason: "index 4 does not follow 2" },
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
    expect(summarise([null, "content", "signature"])).toMatchObject({ unbroken: true, rejected: 2 });
    expect(summarise([null, "chain", null])).toMatchObject({
      unbroken: true,
      rejected: 1,
    });
  });

  it("is broken where nothing goes on from the last good message", () => {
    const summary = summarise([null, null, "chain", "chain"]);
    expect(summary).toMatchObject({ unbroken: false, brokenAt: 3, events: 2, rejected: 2 });
    expect(formatReport(summary)).toBe(
      "chain BROKEN at seq 3: 2 events before it, 2 messages rejected, head h2\n",
    );
  });
});
