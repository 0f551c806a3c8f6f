import { createSubjects } from "@incipit/events";
import { expect, test } from "vitest";
import { streamConfig, streamDifferences } from "./stream.ts";

const options = { stream: "PROMPTS", subjects: createSubjects(), replicas: 3 };
const good: Record<string, unknown> = streamConfig(options);

test("what was asked for differs in nothing, also where the server leaves out what is false or zero", () => {
  expect(streamDifferences(good, options)).toEqual([]);
  const { max_age: _age, allow_rollup_hdrs: _rollup, ...short } = good;
  expect(streamDifferences(short, options)).toEqual([]);
});

test("more replicas, a longer window and settings of no concern are no difference", () => {
  const more = { num_replicas: 5, duplicate_window: 600_000_000_000, compression: "s2", description: "x" };
  expect(streamDifferences({ ...good, ...more }, options)).toEqual([]);
});

test.each([
  ["num_replicas", 1],
  ["duplicate_window", 60_000_000_000],
  ["subjects", ["prompt.log.>", "other"]],
  ["max_age", 1],
  ["max_msgs_per_subject", 1],
  ["deny_purge", false],
  ["allow_rollup_hdrs", true],
  ["republish", undefined],
  ["republish", { src: "prompt.log.>", dest: "elsewhere.>" }],
  ["republish", { src: "prompt.log.>", dest: "prompt.live.>", headers_only: true }],
  ["sources", [{ name: "OTHER" }]],
  ["mirror", { name: "OTHER" }],
  ["allow_msg_ttl", true],
  ["no_ack", true],
  ["persist_mode", "async"],
])("%s of %j is a difference", (setting, value) => {
  expect(streamDifferences({ ...good, [setting]: value }, options)).toMatchObject([
    { setting, found: value },
  ]);
});
