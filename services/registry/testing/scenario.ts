import { nodePrimitives } from "@incipit/bus";
import type { PromptEvent } from "@incipit/events";
import type { ErrorCode, Problem } from "@incipit/schema";
import { parseTemplate } from "@incipit/templates";
import { expect } from "vitest";
import type { Command, Decision, Origin, ReplyOf } from "../src/domain/commands.ts";
import { decide } from "../src/domain/decide.ts";
import { openProjection, type Projection } from "../src/projection/projection.ts";
import { createRecords, NOON, subjects } from "./records.ts";

/** What the projections of tests are opened with. */
export const projectionOptions = {
  admission: { primitives: nodePrimitives, subjects },
  parse: parseTemplate,
};

/** An empty projection in memory. */
export function emptyProjection(): Projection {
  const opened = openProjection(":memory:", projectionOptions);
  if (!opened.ok) throw new Error(opened.reason);
  opened.projection.begin({ stream: "TEST", created: NOON, admission: "" });
  return opened.projection;
}

/** `given(events).when(command).thenAppends(events)`, against SQLite in memory through the real projection. */
export function given(...history: PromptEvent[]) {
  const log = createRecords();
  const projection = emptyProjection();
  const store = (event: PromptEvent, origin?: Origin) => {
    const outcomes = projection.applyBatch([log.push(event, origin)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["applied"]);
  };
  for (const event of history) store(event);

  function when<C extends Command>(command: C) {
    const decision = decide(projection.loadFacts(command), command, parseTemplate);
    const decided = (): Decision<ReplyOf<C>> => {
      if (decision.ok) return decision.value;
      throw new Error(`refused: ${decision.problem.code}: ${decision.problem.message}`);
    };
    return {
      /** These events are to be appended. */
      thenAppends: (...events: PromptEvent[]) => expect(decided()).toEqual({ type: "append", events }),
      /** Nothing is to be appended; the reply has at least these fields. */
      thenReply: (reply: object, settled?: boolean) =>
        expect(decided()).toMatchObject({ type: "reply", reply, ...(settled !== undefined && { settled }) }),
      thenRefused(code: ErrorCode, message: RegExp = /./): Problem {
        if (decision.ok) throw new Error(`not refused: ${JSON.stringify(decision.value)}`);
        const { problem } = decision;
        expect([problem.code, problem.message]).toEqual([code, expect.stringMatching(message)]);
        return problem;
      },
      /** Stores what is to be appended, or only the first of it, and goes on from there. */
      stored(limit = Infinity) {
        const value = decided();
        if (value.type !== "append") throw new Error("nothing is to be appended");
        for (const event of value.events.slice(0, limit)) store(event, command);
        return scenario;
      },
      /** Stores what is to be appended; whether there was anything. */
      storedIfAny() {
        if (!decision.ok || decision.value.type !== "append") return false;
        for (const event of decision.value.events) store(event, command);
        return true;
      },
    };
  }
  const scenario = { when, and: (event: PromptEvent) => (store(event), scenario) };
  return scenario;
}
