import { createHash, randomUUID } from "node:crypto";
import { nodePrimitives, type EventLog } from "@incipit/bus";
import { admit, CHAIN_START, encodeEnvelope, type ChainState, type Subjects } from "@incipit/events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { logAdapters } from "../support/log-adapters.ts";
import { watch } from "../support/log-messages.ts";

const WRITERS = 6;
const ROUNDS = 60;

for (const adapter of await logAdapters())
  describe.skipIf(!adapter.available)(`writers that race for the log ${adapter.name}`, () => {
    beforeAll(adapter.start);
    afterAll(adapter.stop);

    test("win one per round, lose nothing, and leave an unbroken chain", async () => {
      const { log, another, subjects } = await adapter.fresh();
      const writers = await Promise.all(
        Array.from({ length: WRITERS }, async (_, i) =>
          createWriter(`writer-${i}`, await another(), subjects),
        ),
      );
      for (let round = 1; round <= ROUNDS; round++) {
        const outcomes = await Promise.all(writers.map((writer) => writer.tryToWrite()));
        expect(outcomes.toSorted()).toEqual(["appended", ...Array(WRITERS - 1).fill("conflict")]);
        await Promise.all(writers.map((writer) => writer.catchUp()));
      }
      const reader = watch(log, { filter: subjects.logAll, from: 1 });
      await reader.ready;
      await reader.stop();
      let chain: ChainState = CHAIN_START;
      const actors = new Map<string, number>();
      for (const record of reader.records) {
        const admission = admit(record, chain, { primitives: nodePrimitives, subjects });
        if (admission.status !== "event") throw new Error(`not admitted: ${JSON.stringify(admission)}`);
        ({ chain } = admission);
        const { actor } = admission.envelope;
        actors.set(actor, (actors.get(actor) ?? 0) + 1);
      }
      expect(chain.index).toBe(ROUNDS);
      expect(writers.map(({ actor, wins }) => [actor, wins()])).toEqual(
        writers.map(({ actor }) => [actor, actors.get(actor) ?? 0]),
      );
    });
  });

/** One writer with its own view of the log. */
function createWriter(actor: string, log: EventLog, subjects: Subjects) {
  let seq = 0;
  let chain: ChainState = CHAIN_START;
  let wins = 0;

  async function tryToWrite() {
    const version = chain.index + 1;
    const body = `${actor} writes version ${version}`;
    const hash = createHash("sha256").update(body).digest("hex");
    const id = randomUUID();
    const payload = encodeEnvelope({
      id,
      type: "TemplateAdded",
      v: 1,
      at: new Date().toISOString(),
      actor,
      commandId: id,
      commandHash: hash,
      trace: null,
      index: chain.index + 1,
      prev: chain.head,
      data: {
        key: "race",
        version,
        kind: "prompt",
        syntax: "handlebars",
        body,
        source: "user",
        contract: null,
        onError: "fail",
        config: null,
        tags: [],
        note: "",
        hash,
      },
    });
    const subject = subjects.logVersion("race", version);
    const { outcome } = await log.append([{ id, subject, payload: new TextEncoder().encode(payload) }], seq);
    if (outcome === "appended") wins++;
    return outcome;
  }

  async function catchUp() {
    for (let record = await log.get(seq + 1); record !== null; record = await log.get(seq + 1)) {
      const admission = admit(record, chain, { primitives: nodePrimitives, subjects });
      if (admission.status !== "event") throw new Error(`not admitted: ${JSON.stringify(admission)}`);
      ({ chain } = admission);
      ({ seq } = record);
    }
  }

  return { actor, tryToWrite, catchUp, wins: () => wins };
}
