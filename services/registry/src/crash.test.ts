import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryLog, type EventLog } from "@incipit/bus";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dump, startOn } from "../testing/registry.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-crash-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A log whose followers can be held back: what is appended is acknowledged, and reaches no projection. */
function heldBack(log: EventLog) {
  let held = false;
  let abandon = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(new Error("abandoned"));
  });
  abandoned.catch(() => {});
  let acknowledged = () => {};
  const stored = new Promise<void>((resolve) => {
    acknowledged = resolve;
  });
  const between: EventLog = {
    ...log,
    async append(messages, expectedLastSeq) {
      const outcome = await log.append(messages, expectedLastSeq);
      if (held && outcome.outcome === "appended") acknowledged();
      return outcome;
    },
    follow: (options) =>
      log.follow({
        ...options,
        onRecords: async (records) => (held ? abandoned : options.onRecords(records)),
      }),
  };
  return { between, stored, hold: () => void (held = true), abandon };
}

test.each([
  ["an add that activates", "add", { body: "second", activate: true, commandId: "c" }, 2],
  ["an activation", "activate", { version: 1, label: "staging", commandId: "c" }, 1],
  ["a deactivation", "deactivate", { commandId: "c" }, 1],
])(
  "a registry that ends exactly between the acknowledgement of %s and its projection loses nothing and doubles nothing",
  async (_, verb, payload, events) => {
    const { log } = createMemoryLog();
    const db = join(folder, "registry.db");
    const { between, stored, hold, abandon } = heldBack(log);
    const first = await startOn(between, { db, patienceMs: 500 });
    await first.command("add", "a", { body: "first", activate: true });
    const before = (await log.info()).lastSeq;
    hold();
    const answer = first.tryCommand(verb, "a", payload);
    await stored;
    // Acknowledged by the log, unknown to the projection, and nobody has been answered.
    const end = before + events;
    expect((await log.info()).lastSeq).toBe(end);
    expect(first.readiness().detail.seq).toBe(before);
    abandon();
    await first.stop();

    const second = await startOn(log, { db });
    expect(second.readiness().detail.seq).toBe(end);
    const reply = await second.command(verb, "a", payload);
    expect(reply).toMatchObject({ key: "a", seq: end });
    expect((await log.info()).lastSeq).toBe(end);

    const other = await startOn(log);
    expect(JSON.stringify(await other.command(verb, "a", payload))).toBe(JSON.stringify(reply));
    expect(await dump(second)).toBe(await dump(other));
    await Promise.all([second.stop(), other.stop()]);
    expect(await answer).toMatchObject({ ok: false, problem: { code: "unavailable" } });
  },
);
